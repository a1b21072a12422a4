extern "C" int part(void);
extern "C" int runTwice(int value);

int main() { return runTwice(part()) == 42 ? 0 : 1; }
