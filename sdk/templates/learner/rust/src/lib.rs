//! @NAME@: predicts the class whose mean of the training rows is nearest (nearest centroid).
#[macro_use]
mod crossfold;
use crossfold::*;

const SHRINK: Param = Param::real(
    "shrink",
    0.0,
    0.0,
    1.0,
    "Share by which the class means move to the overall mean.",
);

/// What training keeps.
struct NearestMean {
    means: Vec<f64>, // one row per class; NaN for a class without training rows, which is never nearest
    n_classes: usize,
}

impl Learner for NearestMean {
    type Answer = i32; // the index of a class
    const TITLE: &'static str = "@NAME@";
    const DOC: &'static str = "The class with the nearest mean; ties go to the first class.";
    const ACCEPTS: u32 = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_WEIGHTS;
    const DETERMINISM: u32 = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED;
    const PARAMS: &'static [Param] = &[SHRINK];

    fn fit(_: &Call, args: &Args, train: &Training) -> Result<NearestMean, Failure> {
        let (n_classes, d) = (train.n_classes(), train.n_features());
        let shrink = args.real(&SHRINK);
        let (mut means, mut weights) = (zeros(n_classes * d)?, zeros(n_classes)?);
        for i in 0..train.n_rows() {
            let (c, weight) = (train.label(i), train.weight(i));
            weights[c] += weight;
            for j in 0..d {
                means[c * d + j] += weight * train.x(i, j); // sums at first
            }
        }
        let total: f64 = weights.iter().sum();
        for j in 0..d {
            let middle: f64 = (0..n_classes).map(|c| means[c * d + j] / total).sum();
            if !middle.is_finite() {
                let text = format!("feature '{}' has no mean", train.name(j));
                return Err(Failure::new(CF_E_NUMERIC, text));
            }
            for c in 0..n_classes {
                let mean = means[c * d + j] / weights[c];
                means[c * d + j] = (1.0 - shrink) * mean + shrink * middle;
            }
        }
        Ok(NearestMean { means, n_classes })
    }

    fn predict(&self, _: &Call, rows: &Table, out: &mut [i32]) -> Result<(), Failure> {
        let d = rows.n_features();
        for (i, label) in out.iter_mut().enumerate() {
            let mut nearest = f64::INFINITY; // squared, as all distances here
            for c in 0..self.n_classes {
                let square = |gap: f64| gap * gap;
                let distance = (0..d)
                    .map(|j| square(rows.x(i, j) - self.means[c * d + j]))
                    .sum();
                if distance < nearest {
                    nearest = distance;
                    *label = c as i32;
                }
            }
            if nearest == f64::INFINITY {
                return Err(Failure::new(
                    CF_E_NUMERIC,
                    "a row is too far from all means",
                ));
            }
        }
        Ok(())
    }
}

learner_plugin!("@ID@", "0.1.0", "@VENDOR@", "@LICENSE@", NearestMean);
