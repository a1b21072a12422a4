program mixed
  use iso_c_binding
  implicit none
  interface
    integer(c_int) function squares() bind(c)
      import c_int
    end function
    integer(c_int) function half_of(x) bind(c)
      import c_int
      integer(c_int), value :: x
    end function
  end interface
  print '(i0,a)', squares() + half_of(1), ' wrong'
end program
