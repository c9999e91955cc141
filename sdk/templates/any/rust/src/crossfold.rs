//! The boundary between Crossfold and a learner in Rust: the structs of crossfold_plugin.h (ABI 1.0)
//! and what turns a type that implements `Learner` into a plugin. No crate is needed.
//!
//! A panic never leaves the plugin: it becomes a failure with its text. Memory that cannot be had
//! ends the process in Rust, so ask for large arrays with `zeros`.
#![allow(dead_code)]
use std::ffi::{CStr, CString};
use std::mem::size_of;
use std::ops::Deref;
use std::os::raw::{c_char, c_void};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::{null, null_mut};

// ---- what authors use ---------------------------------------------------------------------------

pub const CF_E_INVALID_ARGUMENT: i32 = 1; // the call itself is wrong: a bug
pub const CF_E_INVALID_PARAM: i32 = 2; // a parameter value that the declaration could not exclude
pub const CF_E_UNSUPPORTED_DATA: i32 = 3; // the method cannot learn from such data at all
pub const CF_E_NOT_CONVERGED: i32 = 4;
pub const CF_E_NUMERIC: i32 = 5; // overflow, singular matrix, no finite answer
pub const CF_E_OUT_OF_MEMORY: i32 = 6;
pub const CF_E_CANCELLED: i32 = 7;
pub const CF_E_UNSUPPORTED: i32 = 9;
pub const CF_E_INTERNAL: i32 = 100;

pub const CF_ACCEPTS_MISSING: u32 = 1;
pub const CF_ACCEPTS_CATEGORICAL: u32 = 2;
pub const CF_ACCEPTS_WEIGHTS: u32 = 4;
pub const CF_ACCEPTS_NUMERIC: u32 = 8;
pub const CF_ACCEPTS_NO_FEATURES: u32 = 16;

pub const CF_DET_SEEDED: u32 = 1; // same seed, data, machine and one thread: same bytes
pub const CF_DET_THREADS: u32 = 2; // also for any number of threads
pub const CF_DET_ROW_ORDER: u32 = 4; // the order of the training rows does not matter
pub const CF_DET_UNSEEDED: u32 = 8; // the seed does not matter

/// Why a call failed: one of CF_E_... and a sentence for the user.
pub struct Failure {
    code: i32,
    text: String,
}

impl Failure {
    pub fn new(code: i32, text: impl Into<String>) -> Failure {
        Failure {
            code,
            text: text.into(),
        }
    }
}

/// What a learner predicts for a row: `i32`, the index of a class, or `f64`, a value.
pub trait Answer: Copy + 'static {
    const TASKS: u32;
    const NAME: &'static str;
    fn array(out: &Prediction) -> *mut Self;
}

/// A fitted model, and how it is made.
pub trait Learner: Sized + Send + Sync + 'static {
    type Answer: Answer;
    const TITLE: &'static str;
    const DOC: &'static str;
    const ACCEPTS: u32;
    const DETERMINISM: u32 = CF_DET_SEEDED | CF_DET_THREADS;
    const PARAMS: &'static [Param] = &[];

    fn fit(call: &Call, args: &Args, train: &Training) -> Result<Self, Failure>;
    /// `rows` has the columns of `fit`. Writes every entry of `out`, one a row.
    fn predict(&self, call: &Call, rows: &Table, out: &mut [Self::Answer]) -> Result<(), Failure>;
}

/// n zeros, or a failure if there is no memory.
pub fn zeros(n: usize) -> Result<Vec<f64>, Failure> {
    let mut made = Vec::new();
    if made.try_reserve_exact(n).is_err() {
        return Err(Failure::new(CF_E_OUT_OF_MEMORY, "out of memory"));
    }
    made.resize(n, 0.0);
    Ok(made)
}

/// The declaration of a parameter; `args` is read with it.
pub struct Param {
    name: &'static str,
    doc: &'static str,
    kind: ParamKind,
}

enum ParamKind {
    Real {
        value: f64,
        low: f64,
        high: f64,
    },
    Int {
        value: i64,
        low: i64,
        high: i64,
    },
    Bool {
        value: bool,
    },
    Choice {
        value: usize,
        choices: &'static [&'static str],
    },
}

impl Param {
    pub const fn real(
        name: &'static str,
        value: f64,
        low: f64,
        high: f64,
        doc: &'static str,
    ) -> Param {
        Param {
            name,
            doc,
            kind: ParamKind::Real { value, low, high },
        }
    }
    pub const fn int(
        name: &'static str,
        value: i64,
        low: i64,
        high: i64,
        doc: &'static str,
    ) -> Param {
        Param {
            name,
            doc,
            kind: ParamKind::Int { value, low, high },
        }
    }
    pub const fn bool(name: &'static str, value: bool, doc: &'static str) -> Param {
        Param {
            name,
            doc,
            kind: ParamKind::Bool { value },
        }
    }
    /// `value` is the index of the default.
    pub const fn choice(
        name: &'static str,
        value: usize,
        choices: &'static [&'static str],
        doc: &'static str,
    ) -> Param {
        Param {
            name,
            doc,
            kind: ParamKind::Choice { value, choices },
        }
    }
}

/// The arguments of a call, checked by the host.
pub struct Args<'a>(&'a [CfArg]);

impl Args<'_> {
    fn value(&self, param: &Param) -> ValueBits {
        let of_param = |arg: &&CfArg| text_of(arg.name) == param.name;
        self.0
            .iter()
            .find(of_param)
            .expect("the parameter is not in PARAMS")
            .value
            .bits
    }
    pub fn real(&self, param: &Param) -> f64 {
        unsafe { self.value(param).real }
    }
    pub fn int(&self, param: &Param) -> i64 {
        unsafe { self.value(param).int }
    }
    pub fn bool(&self, param: &Param) -> bool {
        self.int(param) != 0
    }
    /// The index into the choices.
    pub fn choice(&self, param: &Param) -> usize {
        self.int(param) as usize
    }
}

/// Rows without a target, borrowed until the call returns.
pub struct Table<'a>(&'a CfTable);

impl Table<'_> {
    pub fn n_rows(&self) -> usize {
        self.0.n_rows as usize
    }
    pub fn n_features(&self) -> usize {
        self.0.n_features as usize
    }
    pub fn name(&self, j: usize) -> &str {
        text_of(self.column(j).name)
    }
    /// Feature j of row i: a category gives its code, a missing entry NaN.
    pub fn x(&self, i: usize, j: usize) -> f64 {
        unsafe { self.column(j).entry(self.place(i)) }
    }
    fn column(&self, j: usize) -> &CfColumn {
        assert!(j < self.n_features(), "there is no feature {}", j);
        unsafe { &*self.0.features.add(j) }
    }
    /// Where row i stands in every column.
    fn place(&self, i: usize) -> usize {
        assert!(i < self.n_rows(), "there is no row {}", i);
        if self.0.rows.is_null() {
            i
        } else {
            unsafe { *self.0.rows.add(i) as usize }
        }
    }
}

/// Rows with a target.
pub struct Training<'a>(Table<'a>);

impl<'a> Deref for Training<'a> {
    type Target = Table<'a>;
    fn deref(&self) -> &Table<'a> {
        &self.0
    }
}

impl Training<'_> {
    /// Classes of the whole dataset; 0 in regression.
    pub fn n_classes(&self) -> usize {
        let target = self.target_column();
        if target.dtype == CF_CAT32 {
            target.n_levels as usize
        } else {
            0
        }
    }
    /// Class of row i, below n_classes().
    pub fn label(&self, i: usize) -> usize {
        assert!(
            self.target_column().dtype == CF_CAT32,
            "the target is not a class"
        );
        unsafe { self.target_column().entry(self.place(i)) as usize }
    }
    pub fn target(&self, i: usize) -> f64 {
        unsafe { self.target_column().entry(self.place(i)) }
    }
    pub fn weight(&self, i: usize) -> f64 {
        assert!(i < self.n_rows(), "there is no row {}", i);
        if (self.0).0.weights.is_null() {
            1.0
        } else {
            unsafe { *(self.0).0.weights.add(i) }
        }
    }
    fn target_column(&self) -> &CfColumn {
        unsafe { &*(self.0).0.target }
    }
}

/// One call of the host.
pub struct Call<'a>(&'a CfCall);

impl Call<'_> {
    /// Run at most so many threads, this one included.
    pub fn n_threads(&self) -> usize {
        self.0.n_threads as usize
    }
    /// Says how far the call is, 0 to 1; fails if it should stop. Ask every few thousand steps.
    pub fn progress(&self, done: f64) -> Result<(), Failure> {
        if unsafe { ((*self.0.host).progress)(self.0, done) } == 0 {
            Ok(())
        } else {
            Err(Failure::new(CF_E_CANCELLED, "cancelled"))
        }
    }
    /// A random number below n, without bias; the seed of the call determines it.
    pub fn below(&self, n: u64) -> u64 {
        let limit = u64::MAX - u64::MAX % n;
        loop {
            let drawn = self.draw();
            if drawn < limit {
                return drawn % n;
            }
        }
    }
    /// Uniform over [0, 1): one of 2^53 numbers.
    pub fn uniform(&self) -> f64 {
        (self.draw() >> 11) as f64 * (1.0 / 9007199254740992.0)
    }
    fn draw(&self) -> u64 {
        let mut bits = 0;
        unsafe { ((*self.0.host).random_u64)(self.0, &mut bits, 1) };
        bits
    }
}

/// Writes the manifest and the entry: id, version, vendor, SPDX licence, and the type. The id is that
/// of the plugin and of the learner.
macro_rules! learner_plugin {
    ($id:literal, $version:literal, $vendor:literal, $license:literal, $learner:ty) => {
        const MANIFEST: &str = concat!(
            "{\"crossfold\":1,\"abi_minor\":0,\"id\":\"",
            $id,
            "\",\"version\":\"",
            $version,
            "\",\"learners\":[\"",
            $id,
            "\"]}\0"
        );
        #[used]
        #[link_section = ".crossfold.manifest"]
        static MANIFEST_BYTES: [u8; MANIFEST.len()] = crossfold::bytes_of(MANIFEST);

        #[no_mangle]
        pub extern "C" fn crossfold_plugin_v1(_: u32, _: *const std::os::raw::c_void) -> usize {
            static MAKE: std::sync::Once = std::sync::Once::new();
            static MADE: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
            let at = std::sync::atomic::Ordering::SeqCst;
            MAKE.call_once(|| {
                unsafe { std::ptr::read_volatile(&MANIFEST_BYTES[0]) }; // the linker keeps it
                let who = [$id, $version, $vendor, $license];
                MADE.store(crossfold::make_plugin::<$learner>(who) as usize, at);
            });
            MADE.load(at)
        }
    };
}

pub const fn bytes_of<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    let mut i = 0;
    while i < N {
        bytes[i] = text.as_bytes()[i];
        i += 1;
    }
    bytes
}

// ---- the structs of the boundary ----------------------------------------------------------------

const CF_F64: i32 = 1;
const CF_F32: i32 = 2;
const CF_I32: i32 = 3;
const CF_I64: i32 = 4;
const CF_BOOL8: i32 = 5;
const CF_CAT32: i32 = 6;

#[repr(C)]
pub struct CfColumn {
    data: *const c_void,
    validity: *const u8,
    name: *const c_char,
    levels: *const *const c_char,
    n_levels: i64,
    null_count: i64,
    dtype: i32,
    flags: u32,
    validity_offset: i64,
    more: *const c_void,
}

impl CfColumn {
    unsafe fn entry(&self, at: usize) -> f64 {
        if !self.validity.is_null() {
            let bit = at + self.validity_offset as usize;
            if (*self.validity.add(bit / 8) >> (bit % 8)) & 1 == 0 {
                return f64::NAN;
            }
        }
        match self.dtype {
            CF_F64 => *(self.data as *const f64).add(at),
            CF_F32 => f64::from(*(self.data as *const f32).add(at)),
            CF_I32 => f64::from(*(self.data as *const i32).add(at)),
            CF_I64 => *(self.data as *const i64).add(at) as f64,
            CF_BOOL8 => f64::from(u8::from(*(self.data as *const u8).add(at) != 0)),
            CF_CAT32 => match *(self.data as *const i32).add(at) {
                code if code < 0 => f64::NAN,
                code => f64::from(code),
            },
            _ => f64::NAN,
        }
    }
}

#[repr(C)]
pub struct CfTable {
    struct_size: u32,
    flags: u32,
    n_rows_total: i64,
    n_rows: i64,
    rows: *const i64,
    n_features: i64,
    features: *const CfColumn,
    target: *const CfColumn,
    weights: *const f64,
    groups: *const i64,
    row_ids: *const i64,
}

#[repr(C)]
pub struct Prediction {
    struct_size: u32,
    flags: u32,
    n_rows: i64,
    n_classes: i64,
    labels: *mut i32,
    values: *mut f64,
    probabilities: *mut f64,
}

#[repr(C)]
struct CfHost {
    struct_size: u32,
    abi_minor: u32,
    host_data: *mut c_void,
    name: *const c_char,
    version: *const c_char,
    log: extern "C" fn(*const CfHost, i32, *const c_char),
    get_extension: extern "C" fn(*const CfHost, *const c_char) -> *const c_void,
    fail: extern "C" fn(*const CfCall, i32, *const c_char) -> i32,
    progress: extern "C" fn(*const CfCall, f64) -> i32,
    random_u64: extern "C" fn(*const CfCall, *mut u64, usize),
    scratch: extern "C" fn(*const CfCall, usize, usize) -> *mut c_void,
}

#[repr(C)]
pub struct CfCall {
    struct_size: u32,
    n_threads: u32,
    host: *const CfHost,
    call_data: *mut c_void,
    seed: u64,
    info: *const CfInfo,
}

#[repr(C)]
#[derive(Clone, Copy)]
union ValueBits {
    real: f64,
    int: i64,
    pair: [usize; 2], // a pointer and a length
}

#[repr(C)]
struct CfValue {
    kind: i32,
    is_null: i32,
    bits: ValueBits,
}

#[repr(C)]
struct CfParam {
    struct_size: u32,
    flags: u32,
    name: *const c_char,
    doc: *const c_char,
    kind: i32,
    reserved: i32,
    default: CfValue,
    low: f64,
    high: f64,
    int_low: i64,
    int_high: i64,
    choices: *const *const c_char,
    n_choices: usize,
    active_if: *const c_char,
    unit: *const c_char,
}

#[repr(C)]
pub struct CfArg {
    name: *const c_char,
    value: CfValue,
}

#[repr(C)]
struct CfInfo {
    id: *const c_char,
    version: *const c_char,
    title: *const c_char,
    doc: *const c_char,
    source: *const c_char,
    params: *const *const CfParam,
    n_params: usize,
    determinism: u32,
    process_flags: u32,
    threading: i32,
    reserved: i32,
    data: *mut c_void,
}

type Model<L> = *mut Fitted<L>;

#[repr(C)]
struct CfLearner<L> {
    struct_size: u32,
    reserved: u32,
    info: CfInfo,
    tasks: u32,
    accepts: u32,
    fit: extern "C" fn(*const CfCall, *const CfArg, usize, *const CfTable, *mut Model<L>) -> i32,
    predict: extern "C" fn(*const CfCall, *const Fitted<L>, *const CfTable, *mut Prediction) -> i32,
    destroy: extern "C" fn(*const CfInfo, Model<L>),
    get_capability: *const c_void,
}

#[repr(C)]
pub struct CfPlugin {
    magic: u32,
    struct_size: u32,
    abi_major: u32,
    abi_minor: u32,
    id: *const c_char,
    version: *const c_char,
    vendor: *const c_char,
    license: *const c_char,
    build_info: *const c_char,
    n_learners: usize,
    learners: *const *const c_void,
    others: [usize; 8], // transforms, splitters, metrics, sources: none
    get_factory: *const c_void,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(
    size_of::<CfColumn>() == 72
        && size_of::<CfTable>() == 80
        && size_of::<Prediction>() == 48
        && size_of::<CfHost>() == 80
        && size_of::<CfCall>() == 40
        && size_of::<CfParam>() == 120
        && size_of::<CfArg>() == 32
        && size_of::<CfInfo>() == 80
        && size_of::<CfLearner<()>>() == 128
        && size_of::<CfPlugin>() == 144
);

impl Answer for i32 {
    const TASKS: u32 = 3; // CF_TASK_BINARY | CF_TASK_MULTICLASS
    const NAME: &'static str = "labels";
    fn array(out: &Prediction) -> *mut i32 {
        out.labels
    }
}

impl Answer for f64 {
    const TASKS: u32 = 4; // CF_TASK_REGRESSION
    const NAME: &'static str = "values";
    fn array(out: &Prediction) -> *mut f64 {
        out.values
    }
}

// ---- the functions of the boundary --------------------------------------------------------------

struct Fitted<L> {
    learner: L,
    n_features: i64,
    n_classes: i64,
}

fn text_of<'a>(text: *const c_char) -> &'a str {
    unsafe { CStr::from_ptr(text) }.to_str().unwrap_or("")
}

/// Runs the body; what goes wrong in it, a panic included, goes to the host.
fn guard(call: &CfCall, body: impl FnOnce() -> Result<(), Failure>) -> i32 {
    let failure = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return 0,
        Ok(Err(failure)) => failure,
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            Failure::new(
                CF_E_INTERNAL,
                text.unwrap_or_else(|| "panicked".to_string()),
            )
        }
    };
    let line = failure.text.replace(|c: char| c.is_control(), " ");
    let line = CString::new(line).unwrap_or_default();
    unsafe { ((*call.host).fail)(call, failure.code, line.as_ptr()) }
}

fn slice<'a, T>(first: *const T, n: usize) -> &'a [T] {
    if n == 0 {
        &[]
    } else {
        unsafe { std::slice::from_raw_parts(first, n) }
    }
}

extern "C" fn fit<L: Learner>(
    call: *const CfCall,
    args: *const CfArg,
    n_args: usize,
    train: *const CfTable,
    out: *mut Model<L>,
) -> i32 {
    let (call, train) = unsafe { (&*call, &*train) };
    unsafe { *out = null_mut() };
    guard(call, || {
        if train.target.is_null() {
            return Err(Failure::new(
                CF_E_INVALID_ARGUMENT,
                "training rows have no target",
            ));
        }
        let rows = Training(Table(train));
        let learner = L::fit(&Call(call), &Args(slice(args, n_args)), &rows)?;
        let n_classes = rows.n_classes() as i64;
        let fitted = Fitted {
            learner,
            n_features: train.n_features,
            n_classes,
        };
        unsafe { *out = Box::into_raw(Box::new(fitted)) };
        Ok(())
    })
}

extern "C" fn predict<L: Learner>(
    call: *const CfCall,
    model: *const Fitted<L>,
    rows: *const CfTable,
    out: *mut Prediction,
) -> i32 {
    let (call, model, rows, out) = unsafe { (&*call, &*model, &*rows, &*out) };
    guard(call, || {
        let array = L::Answer::array(out);
        if array.is_null() {
            let text = format!("this learner predicts {} only", L::Answer::NAME);
            return Err(Failure::new(CF_E_UNSUPPORTED, text));
        }
        let known = (model.n_features, model.n_classes, rows.n_rows);
        let asked = (rows.n_features, out.n_classes, out.n_rows);
        if known != asked {
            let text = format!(
                "features, classes and rows are {:?}, not {:?}",
                asked, known
            );
            return Err(Failure::new(CF_E_INVALID_ARGUMENT, text));
        }
        if out.n_rows == 0 {
            return Ok(());
        }
        let array = unsafe { std::slice::from_raw_parts_mut(array, out.n_rows as usize) };
        model.learner.predict(&Call(call), &Table(rows), array)
    })
}

extern "C" fn destroy<L: Learner>(_: *const CfInfo, model: Model<L>) {
    if !model.is_null() {
        drop(unsafe { Box::from_raw(model) });
    }
}

fn leaked<T>(value: T) -> *const T {
    Box::into_raw(Box::new(value))
}

fn c_text(text: &str) -> *const c_char {
    CString::new(text).unwrap_or_default().into_raw()
}

fn c_param(param: &Param) -> *const CfParam {
    let (kind, bits) = match param.kind {
        ParamKind::Real { value, .. } => (1, ValueBits { real: value }),
        ParamKind::Int { value, .. } => (2, ValueBits { int: value }),
        ParamKind::Bool { value } => (3, ValueBits { int: value as i64 }),
        ParamKind::Choice { value, .. } => (4, ValueBits { int: value as i64 }),
    };
    let mut made = CfParam {
        struct_size: size_of::<CfParam>() as u32,
        flags: 0,
        name: c_text(param.name),
        doc: c_text(param.doc),
        kind,
        reserved: 0,
        default: CfValue {
            kind,
            is_null: 0,
            bits,
        },
        low: 0.0,
        high: 0.0,
        int_low: 0,
        int_high: 0,
        choices: null(),
        n_choices: 0,
        active_if: null(),
        unit: null(),
    };
    match param.kind {
        ParamKind::Real { low, high, .. } => {
            made.low = low;
            made.high = high;
        }
        ParamKind::Int { low, high, .. } => {
            made.int_low = low;
            made.int_high = high;
        }
        ParamKind::Bool { .. } => (),
        ParamKind::Choice { choices, .. } => {
            let texts: Vec<_> = choices.iter().map(|choice| c_text(choice)).collect();
            made.n_choices = texts.len();
            made.choices = texts.leak().as_ptr();
        }
    }
    leaked(made)
}

/// The tables of a plugin, which last as long as the process.
pub fn make_plugin<L: Learner>(who: [&str; 4]) -> *const CfPlugin {
    // What prints panics to stderr belongs to this library's own copy of std.
    std::panic::set_hook(Box::new(|_| {}));
    let [id, version, vendor, license] = who.map(c_text);
    let params: Vec<_> = L::PARAMS.iter().map(c_param).collect();
    let learner = leaked(CfLearner::<L> {
        struct_size: size_of::<CfLearner<L>>() as u32,
        reserved: 0,
        info: CfInfo {
            id,
            version,
            title: c_text(L::TITLE),
            doc: c_text(L::DOC),
            source: null(),
            n_params: params.len(),
            params: params.leak().as_ptr(),
            determinism: L::DETERMINISM,
            process_flags: 0,
            threading: 2, // CF_MT_PREDICT, which Send and Sync promise
            reserved: 0,
            data: null_mut(),
        },
        tasks: L::Answer::TASKS,
        accepts: L::ACCEPTS,
        fit: fit::<L>,
        predict: predict::<L>,
        destroy: destroy::<L>,
        get_capability: null(),
    });
    leaked(CfPlugin {
        magic: 0x444C4658,
        struct_size: size_of::<CfPlugin>() as u32,
        abi_major: 1,
        abi_minor: 0,
        id,
        version,
        vendor,
        license,
        build_info: null(),
        n_learners: 1,
        learners: leaked(learner as *const c_void),
        others: [0; 8],
        get_factory: null(),
    })
}
