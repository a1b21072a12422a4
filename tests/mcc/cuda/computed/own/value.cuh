#error "another file of that name"
