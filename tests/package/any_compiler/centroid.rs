// The learner of centroid.c in Rust, without a crate: the structs of crossfold_plugin.h written down
// again, and every entry guarded, so that no panic crosses the boundary.
#![allow(non_camel_case_types)]
use std::ffi::{CStr, CString};
use std::os::raw::{c_char, c_void};
use std::panic::{catch_unwind, AssertUnwindSafe};

type cf_status = i32;
const CF_OK: cf_status = 0;
const CF_E_UNSUPPORTED_DATA: cf_status = 3;
const CF_E_INTERNAL: cf_status = 100;

#[repr(C)]
pub struct cf_column {
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

#[repr(C)]
pub struct cf_table {
    struct_size: u32,
    flags: u32,
    n_rows_total: i64,
    n_rows: i64,
    rows: *const i64,
    n_features: i64,
    features: *const cf_column,
    target: *const cf_column,
    weights: *const f64,
    groups: *const i64,
    row_ids: *const i64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct cf_prediction {
    struct_size: u32,
    flags: u32,
    n_rows: i64,
    n_classes: i64,
    labels: *mut i32,
    values: *mut f64,
    probabilities: *mut f64,
}

#[repr(C)]
pub struct cf_host {
    struct_size: u32,
    abi_minor: u32,
    host_data: *mut c_void,
    name: *const c_char,
    version: *const c_char,
    log: Option<extern "C" fn(*const cf_host, i32, *const c_char)>,
    get_extension: Option<extern "C" fn(*const cf_host, *const c_char) -> *const c_void>,
    fail: extern "C" fn(*const cf_call, cf_status, *const c_char) -> cf_status,
    progress: Option<extern "C" fn(*const cf_call, f64) -> i32>,
    random_u64: extern "C" fn(*const cf_call, *mut u64, usize),
    scratch: Option<extern "C" fn(*const cf_call, usize, usize) -> *mut c_void>,
}

#[repr(C)]
pub struct cf_call {
    struct_size: u32,
    n_threads: u32,
    host: *const cf_host,
    call_data: *mut c_void,
    seed: u64,
    this: *const cf_info, // `self` in the header
}

#[repr(C)]
#[derive(Clone, Copy)]
pub union cf_value_bits {
    r: f64,
    i: i64,
    pair: [usize; 2], // a pointer and a length
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct cf_value {
    kind: i32,
    is_null: i32,
    u: cf_value_bits,
}

#[repr(C)]
pub struct cf_param {
    struct_size: u32,
    flags: u32,
    name: *const c_char,
    doc: *const c_char,
    kind: i32,
    reserved: i32,
    def: cf_value,
    lo: f64,
    hi: f64,
    ilo: i64,
    ihi: i64,
    choices: *const *const c_char,
    n_choices: usize,
    active_if: *const c_char,
    unit: *const c_char,
}

#[repr(C)]
pub struct cf_arg {
    name: *const c_char,
    value: cf_value,
}

#[repr(C)]
pub struct cf_info {
    id: *const c_char,
    version: *const c_char,
    title: *const c_char,
    doc: *const c_char,
    source: *const c_char,
    params: *const *const cf_param,
    n_params: usize,
    determinism: u32,
    process_flags: u32,
    threading: i32,
    reserved: i32,
    data: *mut c_void,
}

type Fit =
    extern "C" fn(*const cf_call, *const cf_arg, usize, *const cf_table, *mut *mut Centroids) -> cf_status;
type Predict =
    extern "C" fn(*const cf_call, *const Centroids, *const cf_table, *mut cf_prediction) -> cf_status;

#[repr(C)]
pub struct cf_learner {
    struct_size: u32,
    reserved: u32,
    info: cf_info,
    tasks: u32,
    accepts: u32,
    fit: Fit,
    predict: Predict,
    destroy: extern "C" fn(*const cf_info, *mut Centroids),
    get_capability: extern "C" fn(*const cf_info, *const c_char) -> *const c_void,
}

#[repr(C)]
pub struct cf_cap_proba {
    struct_size: u32,
    reserved: u32,
    predict_proba: Predict,
}

#[repr(C)]
pub struct cf_plugin {
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
    learners: *const *const cf_learner,
    n_transforms: usize,
    transforms: *const c_void,
    n_splitters: usize,
    splitters: *const c_void,
    n_metrics: usize,
    metrics: *const c_void,
    n_sources: usize,
    sources: *const c_void,
    get_factory: Option<extern "C" fn(*const cf_plugin, *const c_char) -> *const c_void>,
}

// Tables hold raw pointers to other statics, which never change.
pub struct Static<T>(T);
unsafe impl<T> Sync for Static<T> {}

macro_rules! text {
    ($text:expr) => {
        concat!($text, "\0").as_ptr() as *const c_char
    };
}

const MANIFEST: &str = concat!(
    "{\"crossfold\":1,\"abi_minor\":0,\"id\":\"any.rust\",\"version\":\"1.0.0\",",
    "\"learners\":[\"any.rust.centroid\"],\"transforms\":[],\"splitters\":[],\"metrics\":[]}\0"
);

const fn manifest_bytes() -> [u8; MANIFEST.len()] {
    let mut bytes = [0; MANIFEST.len()];
    let mut i = 0;
    while i < bytes.len() {
        bytes[i] = MANIFEST.as_bytes()[i];
        i += 1;
    }
    bytes
}

#[used]
#[link_section = ".crossfold.manifest"]
static MANIFEST_SECTION: [u8; MANIFEST.len()] = manifest_bytes();

pub struct Centroids {
    n_features: usize,
    is_manhattan: bool,
    center: Vec<f64>,
    n_rows: Vec<i64>,
}

// A failure that is no bug; everything else panics.
struct Refusal(cf_status, &'static str);

fn guard(call: *const cf_call, body: impl FnOnce() -> Result<(), Refusal>) -> cf_status {
    let (code, text) = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return CF_OK,
        Ok(Err(Refusal(code, text))) => (code, text),
        Err(panic) => (CF_E_INTERNAL, panic.downcast_ref::<&str>().copied().unwrap_or("panicked")),
    };
    let message = CString::new(text).unwrap_or_default();
    unsafe { ((*(*call).host).fail)(call, code, message.as_ptr()) };
    code
}

unsafe fn entry(table: &cf_table, row: usize, feature: usize) -> f64 {
    let at = if table.rows.is_null() { row } else { *table.rows.add(row) as usize };
    *((*table.features.add(feature)).data as *const f64).add(at)
}

unsafe fn doubles_only(table: &cf_table) -> Result<(), Refusal> {
    const CF_F64: i32 = 1;
    for j in 0..table.n_features as usize {
        if (*table.features.add(j)).dtype != CF_F64 {
            return Err(Refusal(CF_E_UNSUPPORTED_DATA, "a feature is no double"));
        }
    }
    Ok(())
}

unsafe fn sum_up(train: &cf_table, m: &mut Centroids, overall: &mut [f64]) {
    for i in 0..train.n_rows as usize {
        let at = if train.rows.is_null() { i } else { *train.rows.add(i) as usize };
        let c = *((*train.target).data as *const i32).add(at) as usize;
        m.n_rows[c] += 1;
        for j in 0..m.n_features {
            let x = entry(train, i, j);
            m.center[c * m.n_features + j] += x;
            overall[j] += x;
        }
    }
    for mean in overall.iter_mut() {
        *mean /= train.n_rows as f64;
    }
}

extern "C" fn fit(
    call: *const cf_call,
    args: *const cf_arg,
    _n_args: usize,
    train: *const cf_table,
    out: *mut *mut Centroids,
) -> cf_status {
    unsafe { *out = std::ptr::null_mut() };
    guard(call, || unsafe {
        let (args, train) = (std::slice::from_raw_parts(args, 4), &*train);
        if args[3].value.u.i != 0 {
            panic!("failed, as asked");
        }
        doubles_only(train)?;
        let (k, d) = ((*train.target).n_levels as usize, train.n_features as usize);
        let mut overall = vec![0.0; d];
        let mut m = Centroids {
            n_features: d,
            is_manhattan: args[2].value.u.i != 0,
            center: vec![0.0; k * d],
            n_rows: vec![0; k],
        };
        sum_up(train, &mut m, &mut overall);
        for c in 0..k {
            for j in 0..d {
                let center = &mut m.center[c * d + j];
                let mean = if m.n_rows[c] > 0 { *center / m.n_rows[c] as f64 } else { overall[j] };
                let mut bits = 0u64;
                ((*(*call).host).random_u64)(call, &mut bits, 1);
                let noise = (bits >> 11) as f64 * (1.0 / 9007199254740992.0);
                *center = overall[j]
                    + (1.0 - args[0].value.u.r) * (mean - overall[j])
                    + args[1].value.u.r * noise;
            }
        }
        *out = Box::into_raw(Box::new(m));
        Ok(())
    })
}

unsafe fn closeness(m: &Centroids, rows: &cf_table, i: usize, c: usize) -> f64 {
    if m.n_rows[c] == 0 {
        return 0.0;
    }
    let mut distance = 0.0;
    for j in 0..m.n_features {
        let gap = entry(rows, i, j) - m.center[c * m.n_features + j];
        distance += if !m.is_manhattan { gap * gap } else if gap < 0.0 { -gap } else { gap };
    }
    1.0 / (1.0 + distance)
}

extern "C" fn predict_proba(
    call: *const cf_call,
    model: *const Centroids,
    rows: *const cf_table,
    out: *mut cf_prediction,
) -> cf_status {
    guard(call, || unsafe {
        let (m, rows, out) = (&*model, &*rows, &*out);
        if rows.n_features as usize != m.n_features {
            return Err(Refusal(CF_E_UNSUPPORTED_DATA, "other features than in training"));
        }
        doubles_only(rows)?;
        let k = m.n_rows.len();
        for i in 0..out.n_rows as usize {
            let (mut sum, mut best, mut label) = (0.0, -1.0, 0);
            for c in 0..k {
                let p = closeness(m, rows, i, c);
                sum += p;
                if p > best {
                    best = p;
                    label = c as i32;
                }
            }
            if !out.labels.is_null() {
                *out.labels.add(i) = label;
            }
            for c in 0..k {
                if !out.probabilities.is_null() {
                    *out.probabilities.add(i * k + c) = closeness(m, rows, i, c) / sum;
                }
            }
        }
        Ok(())
    })
}

extern "C" fn predict(
    call: *const cf_call,
    model: *const Centroids,
    rows: *const cf_table,
    out: *mut cf_prediction,
) -> cf_status {
    let mut labels = unsafe { *out };
    labels.probabilities = std::ptr::null_mut();
    predict_proba(call, model, rows, &mut labels)
}

extern "C" fn destroy(_this: *const cf_info, model: *mut Centroids) {
    if !model.is_null() {
        drop(unsafe { Box::from_raw(model) });
    }
}

static PROBA: cf_cap_proba = cf_cap_proba {
    struct_size: std::mem::size_of::<cf_cap_proba>() as u32,
    reserved: 0,
    predict_proba,
};

extern "C" fn get_capability(_this: *const cf_info, id: *const c_char) -> *const c_void {
    if unsafe { CStr::from_ptr(id) } .to_bytes() == b"crossfold.proba/1" {
        return &PROBA as *const cf_cap_proba as *const c_void;
    }
    std::ptr::null()
}

const fn param(name: *const c_char, doc: *const c_char, kind: i32, def: f64) -> cf_param {
    cf_param {
        struct_size: std::mem::size_of::<cf_param>() as u32,
        flags: 0,
        name,
        doc,
        kind,
        reserved: 0,
        def: cf_value { kind, is_null: 0, u: cf_value_bits { r: def } },
        lo: 0.0,
        hi: 1.0,
        ilo: 0,
        ihi: 0,
        choices: std::ptr::null(),
        n_choices: 0,
        active_if: std::ptr::null(),
        unit: std::ptr::null(),
    }
}

const CF_P_REAL: i32 = 1;
const CF_P_BOOL: i32 = 3;
const CF_P_CHOICE: i32 = 4;
static DISTANCES: Static<[*const c_char; 2]> = Static([text!("euclidean"), text!("manhattan")]);
static SHRINK: Static<cf_param> =
    Static(param(text!("shrink"), text!("How far centroids move to the middle."), CF_P_REAL, 0.1));
static JITTER: Static<cf_param> =
    Static(param(text!("jitter"), text!("Random shift of centroids."), CF_P_REAL, 0.01));
static DISTANCE: Static<cf_param> = Static(cf_param {
    choices: &DISTANCES.0 as *const *const c_char,
    n_choices: 2,
    ..param(text!("distance"), text!("Distance to centroids."), CF_P_CHOICE, 0.0)
});
static FAIL: Static<cf_param> =
    Static(param(text!("fail"), text!("Whether fit fails."), CF_P_BOOL, 0.0));
static PARAMS: Static<[*const cf_param; 4]> =
    Static([&SHRINK.0, &JITTER.0, &DISTANCE.0, &FAIL.0]);

static LEARNER: Static<cf_learner> = Static(cf_learner {
    struct_size: std::mem::size_of::<cf_learner>() as u32,
    reserved: 0,
    info: cf_info {
        id: text!("any.rust.centroid"),
        version: text!("1.0.0"),
        title: text!("nearest centroid"),
        doc: text!("The class of the nearest centroid."),
        source: std::ptr::null(),
        params: &PARAMS.0 as *const *const cf_param,
        n_params: 4,
        determinism: 3, // CF_DET_SEEDED | CF_DET_THREADS
        process_flags: 0,
        threading: 2, // CF_MT_PREDICT
        reserved: 0,
        data: std::ptr::null_mut(),
    },
    tasks: 3,   // CF_TASK_BINARY | CF_TASK_MULTICLASS
    accepts: 8, // CF_ACCEPTS_NUMERIC
    fit,
    predict,
    destroy,
    get_capability,
});
static LEARNERS: Static<[*const cf_learner; 1]> = Static([&LEARNER.0]);
static PLUGIN: Static<cf_plugin> = Static(cf_plugin {
    magic: 0x444C4658,
    struct_size: std::mem::size_of::<cf_plugin>() as u32,
    abi_major: 1,
    abi_minor: 0,
    id: text!("any.rust"),
    version: text!("1.0.0"),
    vendor: text!("The Crossfold Authors"),
    license: text!("MIT"),
    build_info: std::ptr::null(),
    n_learners: 1,
    learners: &LEARNERS.0 as *const *const cf_learner,
    n_transforms: 0,
    transforms: std::ptr::null(),
    n_splitters: 0,
    splitters: std::ptr::null(),
    n_metrics: 0,
    metrics: std::ptr::null(),
    n_sources: 0,
    sources: std::ptr::null(),
    get_factory: None,
});

#[no_mangle]
pub extern "C" fn crossfold_plugin_v1(_minor: u32, _host: *const cf_host) -> *const cf_plugin {
    // The hook that prints panics to stderr belongs to this library's own copy of std.
    std::panic::set_hook(Box::new(|_| {}));
    &PLUGIN.0
}
