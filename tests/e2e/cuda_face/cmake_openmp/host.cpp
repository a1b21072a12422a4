int host() {
  int threads = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads)
  ++threads;
  return threads;
}
