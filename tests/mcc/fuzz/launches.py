"""How a program launches a kernel: what stands before `<<<`, and how its sizes come there. The host side of mcc
looks at both."""

ARGUMENTS = "with.in, with.uni, with.param, with.out"


class Launch:
    """Of `kernel` (its name, or an expression that is the kernel), of `blocks` blocks of `size` threads."""

    def __init__(self, random, name, kernel, blocks, size, shared, param):
        self.name, self.kernel, self.blocks, self.size, self.shared, self.param = name, kernel, blocks, size, shared, param
        forms = [self.constants, self.unknown, self.dependent_type, self.dependent_values, self.generic_lambda,
                 self.member, self.macro, self.default_argument, self.computed, self.kernel_parameter, self.variables]
        if size[1] == size[2] == 1:
            forms += [self.number, self.dependent_number]
        self.form = random.choice(forms)

    def entry(self):
        """The row of the program's table."""
        x, y, z = self.size
        return f'{{"{self.name}", start_{self.name}, {self.blocks}, dim3({x}, {y}, {z}), {self.shared}, {self.param}}}'

    def source(self):
        return self.form(f"start_{self.name}")

    def call(self, grid, block, shared=None, kernel=None):
        shared = self.shared if shared is None else shared
        return f"FUZZ_START(({kernel or self.kernel}), {grid}, ({block}), {shared}, {ARGUMENTS})"

    def starter(self, name, body, before=""):
        return f"{before}void {name}(const Launch& launch, const Arguments& with) {{ (void)launch; {body} }}\n"

    def block(self):
        return "dim3({}, {}, {})".format(*self.size)

    # --- Sizes that are known, or are not ----------------------------------------------------------

    def constants(self, name):
        return self.starter(name, self.call(self.blocks, self.block()) + ";")

    def unknown(self, name):
        return self.starter(name, self.call("launch.blocks", "launch.size", "launch.sharedBytes") + ";")

    def number(self, name):
        return self.starter(name, self.call(self.blocks, self.size[0]) + ";")

    def computed(self, name):
        x, y, z = self.size
        return self.starter(name, self.call(f"{self.blocks} * 2 / 2", f"dim3({x} * 2 >> 1, {y} > 1 ? {y} : 1, {z})") + ";")

    def variables(self, name):
        x, y, z = self.size
        return self.starter(name, f"int width = {x}; const unsigned height = {y}; dim3 size(width, height, {z}); dim3 grid({self.blocks}); "
                            + self.call("grid", "size") + ";")

    # --- Templates, lambdas, members, macros -------------------------------------------------------

    def dependent_type(self, name):
        x, y, z = self.size
        before = (f"template <class Size>\nvoid {name}_of(Size size, const Arguments& with) {{\n"
                  f"  dim3 block(size.x / 2, size.y, size.z);\n  {self.call(self.blocks, 'block')};\n}}\n")
        return self.starter(name, f"{name}_of(dim3({2 * x}, {y}, {z}), with);", before)

    def dependent_values(self, name):
        before = (f"template <unsigned X, unsigned Y, int Z>\nvoid {name}_of(const Arguments& with) {{\n"
                  f"  {self.call(self.blocks, 'dim3(X, Y, Z)')};\n}}\n")
        return self.starter(name, "{}_of<{}, {}, {}>(with);".format(name, *self.size), before)

    def dependent_number(self, name):
        before = (f"template <class Number>\nvoid {name}_of(Number threads, const Arguments& with) {{\n"
                  f"  {self.call(self.blocks, 'threads + 0')};\n}}\n")
        return self.starter(name, f"{name}_of({self.size[0]}, with);", before)

    def generic_lambda(self, name):
        return self.starter(name, f"const auto go = [&](auto block) {{ {self.call(self.blocks, 'block')}; }}; go({self.block()});")

    def member(self, name):
        x, y, z = self.size
        before = (f"template <class T>\nstruct {name}_type {{\n  static constexpr T kWidth = {x};\n  dim3 block{{kWidth, {y}, {z}}};\n"
                  f"  T threads() const {{ return kWidth; }}\n"
                  f"  void go(const Arguments& with) const {{ {self.call(self.blocks, f'dim3(threads(), block.y, block.z)')}; }}\n"
                  f"  template <int Y>\n  void goBy(const Arguments& with) {{ {self.call(self.blocks, f'dim3(this->block.x, Y, {z})')}; }}\n}};\n")
        return self.starter(name, f"{name}_type<unsigned> object; if (with.param % 2 != 0) object.go(with); "
                            f"else object.template goBy<{y}>(with);", before)

    def macro(self, name):
        before = f"#define {name}_WITH(x, y) {self.call(self.blocks, f'dim3(x, y, {self.size[2]})')}\n"
        return self.starter(name, f"{name}_WITH({self.size[0]}, {self.size[1]});", before)

    def default_argument(self, name):
        before = (f"inline void {name}_of(const Arguments& with, dim3 block = {self.block()}, unsigned shared = {self.shared}) {{\n"
                  f"  {self.call(self.blocks, 'block', 'shared')};\n}}\n")
        return self.starter(name, f"{name}_of(with);", before)

    def kernel_parameter(self, name):
        before = (f"template <Kernel F, unsigned X>\nvoid {name}_of(const Arguments& with) {{\n"
                  f"  {self.call(self.blocks, f'dim3(X, {self.size[1]}, {self.size[2]})', kernel='F')};\n}}\n")
        return self.starter(name, f"{name}_of<{self.kernel}, {self.size[0]}>(with);", before)
