-- A file includes what it uses, which a unity build does not show: `lua5.4 includes.lua ROOT`.
--   std::NAME, a macro or ::function() of C or POSIX    comes from a header of the tables below
--   what headers of the project declare at namespace scope (types, functions, kConstants, macros)
--                                                       comes from one of them
-- Either is included by the file itself or by files of the project that it includes, and so on.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local source = require "source_files"
local root = arg[1]

-- Header -> names of namespace std. A header counts for what its own interface consists of, too.
local containers = "begin end move pair size size_t ssize swap "
local std_names = {
  algorithm = [[adjacent_find all_of any_of binary_search clamp copy copy_if copy_n count count_if equal equal_range
    fill fill_n find find_if find_if_not generate includes inplace_merge is_sorted lower_bound max
    max_element merge min min_element minmax_element mismatch move none_of nth_element partial_sort
    partition_point pop_heap push_heap ranges replace replace_if reverse rotate search set_difference
    set_intersection sort stable_partition stable_sort transform unique upper_bound]],
  array = containers .. "array get tuple_size_v",
  atomic = [[atomic atomic_signal_fence memory_order_acquire memory_order_relaxed memory_order_release
    memory_order_seq_cst]],
  barrier = "barrier",
  bit = "bit_cast bit_floor bit_width countr_zero endian popcount",
  cctype = "toupper",
  cfenv = "fegetround feraiseexcept fesetenv fesetround fetestexcept",
  charconv = "chars_format errc from_chars to_chars",
  chrono = "chrono milli",
  clocale = "setlocale",
  cmath = [[abs ceil copysign erfc exp exp2 expm1 fabs floor fma fmax fmin fmod fpclassify frexp hypot
    ilogb isfinite isinf isnan isnormal ldexp lerp lgamma llround log log10 log1p log2 lround nan nanf
    nextafter pow round scalbn signbit sin sqrt tanh trunc]],
  compare = "partial_ordering",
  concepts = "convertible_to copy_constructible floating_point integral same_as",
  condition_variable = "chrono condition_variable condition_variable_any",
  csignal = "raise signal",
  cstddef = "byte ptrdiff_t size_t",
  cstdint = [[int16_t int32_t int64_t int8_t uint16_t uint32_t uint64_t uint8_t uintmax_t uintptr_t]],
  cstdio = [[FILE fclose ferror fflush fgets fopen fprintf fputc fputs fread fscanf fwrite printf putchar
    puts rename setvbuf size_t snprintf sscanf]],
  cstdlib = [[_Exit abort abs aligned_alloc at_quick_exit atexit calloc exit free getenv rand realloc size_t srand
    strtod strtoull system]],
  cstring = "memchr memcmp memcpy memset size_t strcmp strerror strlen strncmp",
  ctime = "strftime time_t tm",
  deque = containers .. "deque erase erase_if",
  exception = [[current_exception exception exception_ptr get_terminate rethrow_exception set_terminate
    terminate_handler]],
  filesystem = "error_code filesystem",
  fstream = "fstream ifstream ios ofstream ostream streamsize",
  functional = "cref equal_to function greater greater_equal hash less move not_equal_to",
  future = "future future_status move packaged_task promise",
  initializer_list = "begin end initializer_list",
  ios = "ios streamsize",
  iostream = "cerr cin cout ios ostream",
  iterator = [[back_inserter begin distance end istreambuf_iterator iterator_traits make_move_iterator
    make_reverse_iterator next prev size ssize]],
  limits = "numeric_limits",
  list = containers .. "erase erase_if list",
  locale = "locale numpunct",
  map = containers .. "erase erase_if less map multimap",
  memory = "make_shared make_unique make_unique_for_overwrite move shared_ptr unique_ptr weak_ptr",
  mutex = "call_once chrono defer_lock lock_guard mutex once_flag unique_lock",
  new = "align_val_t bad_alloc get_new_handler new_handler nothrow",
  numbers = "numbers",
  numeric = "accumulate exclusive_scan inner_product iota midpoint partial_sum",
  optional = "in_place move nullopt optional",
  ostream = "ios ostream streamsize",
  queue = "priority_queue",
  random = "mt19937",
  ranges = "ranges",
  regex = "regex regex_error regex_replace regex_search sregex_iterator",
  set = containers .. "erase erase_if less multiset set",
  shared_mutex = "shared_lock shared_mutex",
  span = "begin end size size_t span ssize",
  sstream = "ios istream istringstream ostream ostringstream stringstream",
  stdexcept = "exception length_error logic_error out_of_range runtime_error invalid_argument",
  stop_token = "stop_token",
  string = containers .. [[char_traits erase erase_if getline stod stoi stoll stoull string
    string_literals to_string]],
  string_view = "begin end size size_t string_view string_view_literals",
  system_error = "errc error_code generic_category system_error",
  thread = "chrono jthread move stop_token this_thread thread",
  tuple = "apply get move tie tuple tuple_cat tuple_size_v",
  type_traits = [[conditional_t decay_t invoke_result_t is_arithmetic_v is_enum_v is_floating_point_v
    is_integral_v is_same_v is_trivially_copyable_v make_unsigned_t remove_cv_t type_identity]],
  unordered_map = containers .. "equal_to erase erase_if hash unordered_map",
  unordered_set = containers .. "equal_to erase erase_if hash unordered_set",
  utility = [[as_const exchange get in_place in_range index_sequence make_index_sequence make_pair move
    pair size_t swap]],
  variant = "get get_if holds_alternative monostate move variant visit",
  vector = containers .. "erase erase_if vector",
}

-- The same of C and POSIX; names that are not here are not checked.
local c_names = {
  ["assert.h"] = "assert",
  cassert = "assert",
  cerrno = "EAGAIN EEXIST EINTR ENOENT EPERM EWOULDBLOCK errno",
  csignal = [[::kill ::pthread_sigmask ::sigaction ::sigemptyset ::sigfillset SIGBUS SIGINT SIGKILL SIGSEGV
    SIGTERM SIGVTALRM SIGXCPU]],
  cstddef = "size_t",
  cstdint = "INT32_MAX INT64_MAX INT64_MIN SIZE_MAX UINT32_MAX int32_t int64_t uint32_t uint64_t uint8_t",
  cstdlib = "::setenv ::unsetenv ::secure_getenv",
  ["dlfcn.h"] = "::dladdr ::dlclose ::dlerror ::dlinfo ::dlopen ::dlsym RTLD_LOCAL RTLD_NOW",
  ["errno.h"] = "EAGAIN EEXIST EINTR ENOENT EPERM EWOULDBLOCK errno",
  ["fcntl.h"] = "::fcntl ::open O_APPEND O_CLOEXEC O_CREAT O_EXCL O_NONBLOCK O_RDONLY O_RDWR O_TRUNC O_WRONLY",
  ["poll.h"] = "::poll POLLIN POLLOUT",
  ["signal.h"] = [[::kill ::pthread_sigmask ::sigaction ::sigemptyset ::sigfillset SIGBUS SIGINT SIGKILL
    SIGSEGV SIGTERM SIGVTALRM SIGXCPU]],
  ["spawn.h"] = "::posix_spawn",
  ["stddef.h"] = "size_t",
  ["stdint.h"] = "INT32_MAX INT64_MAX INT64_MIN SIZE_MAX UINT32_MAX int32_t int64_t uint32_t uint64_t uint8_t",
  ["stdlib.h"] = "::setenv ::unsetenv ::secure_getenv",
  ["sys/file.h"] = "::flock",
  ["sys/mman.h"] = [[::madvise ::memfd_create ::mmap ::mprotect ::munmap MAP_FAILED MAP_PRIVATE MAP_SHARED
    PROT_READ PROT_WRITE]],
  ["sys/resource.h"] = "::getrlimit ::setrlimit RLIMIT_AS RLIMIT_CORE RLIMIT_CPU",
  ["sys/socket.h"] = "::recv ::recvmsg ::send ::sendmsg ::socketpair",
  ["sys/stat.h"] = "::chmod ::fstat ::mkfifo ::stat ::umask S_ISFIFO S_ISREG",
  ["sys/wait.h"] = "::waitpid WEXITSTATUS WIFEXITED WIFSIGNALED WTERMSIG",
  ["time.h"] = "::clock_gettime ::timer_create",
  ctime = "::clock_gettime ::timer_create",
  ["unistd.h"] = [[::access ::alarm ::close ::dup2 ::fork ::fsync ::ftruncate ::getpid ::pipe2 ::pread ::read
    ::sysconf ::unlink ::write STDERR_FILENO STDIN_FILENO STDOUT_FILENO]],
}

-- Name -> sorted headers.
local homes = {}
local function add_homes(names, prefix)
  for header, listed in pairs(names) do
    for name in listed:gmatch("%S+") do
      homes[prefix .. name] = homes[prefix .. name] or {}
      table.insert(homes[prefix .. name], header)
    end
  end
end
add_homes(std_names, "std::")
add_homes(c_names, "")
for _, headers in pairs(homes) do table.sort(headers) end

-- The code of a file: without comments, with empty strings, on the same lines.
local function code_of(text)
  local parts, start = {}, 1
  local at = text:find("[/\"']")
  while at do
    local mark, after = text:sub(at, at), at + 1
    if mark == "/" then
      if text:find("^/", after) then
        after = text:find("\n", at, true) or #text + 1
      elseif text:find("^%*", after) then
        after = (select(2, text:find("*/", at + 2, true)) or #text) + 1
      end
    elseif mark == '"' and text:find("^R", at - 1) then
      after = select(2, text:find(")" .. text:match("^[^(]*", after) .. '"', at, true)) + 1
    elseif mark == '"' or not text:find("^%w", at - 1) then  -- 1'000 has no characters
      after = text:find("[\\\n" .. mark .. "]", after)
      while text:find("^\\", after) do after = text:find("[\\\n" .. mark .. "]", after + 2) end
      after = after + 1
    end
    if after > at + 1 then
      parts[#parts + 1] = text:sub(start, at - 1)
      parts[#parts + 1] = text:sub(at, after - 1):gsub("[^\n]+", mark == "/" and " " or '""')
      start = after
    end
    at = text:find("[/\"']", after)
  end
  parts[#parts + 1] = text:sub(start)
  return table.concat(parts)
end

-- The name that the beginning of a statement at namespace scope declares, or nil; `stop` follows it.
local function declared_name(head, stop)
  head = head:gsub("^%s*template%s*%b<>", ""):gsub("%[%[.-%]%]", "")
  local kind, first = head:match("^%s*(%a+)%s+([%w_]+)")
  if kind == "enum" then return head:match("^%s*enum%s+[cs]%l+%s+([%w_]+)") or first end
  if kind == "class" or kind == "struct" or kind == "union" then return stop == "{" and first or nil end
  if kind == "using" then return head:match("^%s*using%s+([%w_]+)%s*=") end
  if kind == "concept" then return first end
  local before, called = head:match("^([^=(]*)%f[%w_]([%w_]+)%s*%(")
  if called then return before:find("%S") and not before:find("::%s*$") and called or nil end
  return head:match("%f[%w_](k%u[%w_]*)")
end

local function newlines(text) return (text:gsub("[^\n]", "")) end

local function without_directives(code)
  return (("\n" .. code:gsub("\\\n", "\\\r")):gsub("\n[ \t]*#[^\n]*", function(directive)
    return newlines(directive:gsub("\r", "\n"))
  end):sub(2))
end

-- What a header declares at namespace scope: name -> set of the namespaces around it.
local function namespace_names(code)
  local names, open, pos = {}, {}, 1
  for macro in ("\n" .. code):gmatch("\n[ \t]*#%s*define%s+([%w_]+)") do names[macro] = {} end
  code = without_directives(code)
  local at, stop = code:match("()([;{}])")
  while at do
    local head = code:sub(pos, at - 1)
    pos = at + 1
    local space = head:match("namespace%s*([%w_:]*)%s*$") or head:match('extern%s*(""%s*)$')
    if stop == "{" and space then
      open[#open + 1] = space
    elseif stop == "}" then
      open[#open] = nil
    else
      if stop == "{" then pos = code:match("^%b{}()", at) or #code + 1 end
      local name = declared_name(head, stop)
      if name and name:find("^k?%u") then
        names[name] = {}
        for part in table.concat(open, " "):gmatch("[%w_]+") do names[name][part] = true end
      end
    end
    at, stop = code:match("()([;{}])", pos)
  end
  return names
end

-- Set of the names that a file seems to declare in any scope; too many rather than too few.
local no_types = { case = true, co_return = true, delete = true, ["else"] = true, new = true, operator = true,
                   private = true, protected = true, public = true, ["return"] = true, throw = true }
local function names_of_any_scope(code)
  local names = {}
  for word, name, pos in code:gmatch("%f[%w_]([%w_]+)[>&*]*%s+(%u[%w_]*)()%s*[%(;={,):]") do
    if not no_types[word] and not code:find("^::", pos) then names[name] = true end
  end
  for word, name in code:gmatch("%f[%w_]([%w_]+)[>&*]*%s+(k%u[%w_]*)[%[;]") do
    if not no_types[word] then names[name] = true end
  end
  for name in code:gmatch("%f[%w_](k%u[%w_]*)%s*[={]%f[^={]") do names[name] = true end
  for _, word in ipairs { "class", "typename" } do
    for name in code:gmatch("%f[%w_]" .. word .. "%s+(%u[%w_]*)") do names[name] = true end
  end
  for name in code:gmatch("using%s[%w_:]*::([%w_]+);") do names[name] = true end
  for name in code:gmatch("#%s*define%s+([%w_]+)") do names[name] = true end
  for name in code:gmatch("MATCHER[_%u%d]*%((%w+)") do names[name] = true end
  for body in code:gmatch("enum%s[%w_%s:]*(%b{})") do
    for name in body:gmatch("[{,]%s*([%w_]+)") do names[name] = true end
  end
  return names
end

-- Path -> what is in the file.
local files, paths = {}, {}
for _, path in ipairs(source.list(root, { "core", "plugins", "sdk", "tests" }, { "h", "hpp", "cpp", "c", "inl" })) do
  local name = source.relative(root, path)
  if not name:find("^tests/lint/") then
    paths[#paths + 1] = name
    files[name] = { text = source.read(path) }
  end
end

-- The file of the project that an #include means, or nil.
local include_folders = { "", "core/", "core/include/", "plugins/", "sdk/", "sdk/conformance/", "sdk/include/",
                          "tests/" }
local function resolve(folder, include)
  local own = folder .. include
  while own:find("/../", 1, true) do own = own:gsub("[^/]+/%.%./", "", 1) end
  if files[own] then return own end
  for _, base in ipairs(include_folders) do
    if files[base .. include] then return base .. include end
  end
end

-- Name -> the headers that declare it.
local owners = {}
for _, path in ipairs(paths) do
  local file = files[path]
  file.code = code_of(file.text)
  file.includes, file.others = {}, {}
  for include in ("\n" .. file.text):gmatch('\n%s*#%s*include%s*[<"]([^>"\n]+)') do
    local found = resolve(path:match("^.*/"), include)
    if found then file.includes[#file.includes + 1] = found else file.others[include] = true end
  end
  if path:find("%.hp?p?$") then
    file.names = namespace_names(file.code)
    for name in pairs(file.names) do
      owners[name] = owners[name] or {}
      table.insert(owners[name], path)
    end
  end
end

-- Sets of the files that a file includes, itself among them, and of the foreign headers that these include.
local function closure(path)
  local seen, headers, stack = { [path] = true }, {}, { path }
  while #stack > 0 do
    local file = files[table.remove(stack)]
    for header in pairs(file.others) do headers[header] = true end
    for _, include in ipairs(file.includes) do
      if not seen[include] then
        seen[include] = true
        stack[#stack + 1] = include
      end
    end
  end
  return seen, headers
end

local function declares(path, name)
  local file = files[path]
  if not file.code:find(name, 1, true) then return false end
  file.any_scope = file.any_scope or names_of_any_scope(file.code)
  return file.any_scope[name]
end

-- Can `qualifiers` NAME in the file at `path` be what the header `owner` declares?
local function may_mean(path, qualifiers, name, owner)
  for qualifier in qualifiers:gmatch("[%w_]+") do
    if not files[owner].names[name][qualifier] then return false end
  end
  local from, to = owner:match("^%w+"), path:match("^%w+")
  return from == to or from == "sdk" or to == "tests"
end

-- What would give `id` to a file that includes `seen` and `headers`, or nil if these do.
local function lacking(path, id, seen, headers)
  local givers = homes[id]
  if givers then
    for _, header in ipairs(givers) do
      if headers[header] then return nil end
    end
    return "<" .. table.concat(givers, "> or <") .. ">"
  end
  if id:find("^std::") then return "a header, which the table of tests/lint/includes.lua lacks" end
  local qualifiers, name = id:match("^(.-)(k?%u[%w_]*)$")
  local possible = {}
  for _, owner in ipairs(owners[name] or {}) do
    if seen[owner] then return nil end
    if may_mean(path, qualifiers, name, owner) then possible[#possible + 1] = owner end
  end
  if #possible == 0 then return nil end
  for file in pairs(seen) do
    if declares(file, name) then return nil end
  end
  return '"' .. table.concat(possible, '" or "') .. '"'
end

local findings = {}
local function check(path)
  local seen, headers = closure(path)
  local done = {}
  -- The names of tests are none of the project's.
  local statements = without_directives(files[path].code):gsub("%f[%w_]TEST[_FP]*%b()", newlines)
    :gsub("INSTANTIATE_TEST_SUITE_P%(%s*[%w_]+", newlines)
  for at, whole in statements:gmatch("()%f[%w_:]([%a_:][%w_:]*)") do
    local is_new = not done[whole] and not statements:find("^%.", at - 1) and not statements:find("^%->", at - 2)
    if is_new then
      local id = whole:match("^std::[%w_]+") or whole:match("^[%l%d_:]*k?%u[%w_]*") or whole
      local giver = (id == whole or not done[id]) and lacking(path, id, seen, headers)
      done[whole], done[id] = true, true
      if giver then
        local line = #newlines(statements:sub(1, at)) + 1
        findings[#findings + 1] = ("%s:%d: %s needs %s"):format(path, line, id, giver)
      end
    end
  end
end

local checked = 0
for _, path in ipairs(paths) do
  local product = path:find("^core/") or path:find("^plugins/") or path:find("^sdk/include/")
  if (product or path:find("^tests/unit/")) and (path:find("%.[hc]pp$") or path:find("%.h$")) then
    check(path)
    checked = checked + 1
  end
end
print(("files checked: %d"):format(checked))
source.finish("names without their headers", findings)
