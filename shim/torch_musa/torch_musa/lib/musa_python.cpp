// libmusa_python.so, which the vendor's extensions link (-lmusa_python). It is empty: what they call is in
// torch_musa._C, whose symbols all see that are loaded after it.
