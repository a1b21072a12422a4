/* Emulated devices draw nothing. */
#error "graphics interoperability is not emulated: leave it out of this build, and copy through host memory"
