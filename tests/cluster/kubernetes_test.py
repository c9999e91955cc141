"""kubernetes_test.py PROGRAM ROOT SCRATCH: scripts/cluster/kubernetes_job.yaml against the schema of the
API, and its commands as a node would start them. Exits with 77, which means skipped, without python3-yaml or
python3-jsonschema."""

import copy
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

PROGRAM, ROOT, SCRATCH = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
SHARDS, MERGE = yaml.safe_load_all((ROOT / "scripts/cluster/kubernetes_job.yaml").read_text())
SCHEMA = json.loads((ROOT / "tests/cluster/kubernetes_job_schema.json").read_text())


def problems(job):
    found = jsonschema.Draft202012Validator(SCHEMA).iter_errors(job)
    return sorted("/".join(map(str, one.path)) + ": " + one.message for one in found)


def container_of(job):
    return job["spec"]["template"]["spec"]["containers"][0]


class Schema(unittest.TestCase):
    def changed(self, change):
        job = copy.deepcopy(SHARDS)
        change(job["spec"])
        return problems(job)

    def test_both_jobs_are_valid(self):
        self.assertEqual(problems(SHARDS), [])
        self.assertEqual(problems(MERGE), [])

    def test_a_field_that_the_api_does_not_have_is_found(self):
        self.assertEqual(
            self.changed(lambda spec: spec.update(backoffLimitPerIndexes=2)),
            ["spec: Additional properties are not allowed ('backoffLimitPerIndexes' was unexpected)"])

    def test_a_number_as_the_value_of_a_variable_is_found(self):
        def change(spec):
            spec["template"]["spec"]["containers"][0]["env"][0]["value"] = 8

        self.assertEqual(self.changed(change),
                         ["spec/template/spec/containers/0/env/0/value: 8 is not of type 'string'"])

    def test_retries_per_index_need_pods_that_are_not_restarted(self):
        def change(spec):
            spec["template"]["spec"]["restartPolicy"] = "OnFailure"

        self.assertEqual(self.changed(change), ["spec/template/spec/restartPolicy: 'Never' was expected"])

    def test_a_condition_of_a_pod_needs_a_status(self):
        def change(spec):
            del spec["podFailurePolicy"]["rules"][0]["onPodConditions"][0]["status"]

        self.assertEqual(
            self.changed(change),
            ["spec/podFailurePolicy/rules/0/onPodConditions/0: 'status' is a required property"])


class Nodes(unittest.TestCase):
    def setUp(self):
        shutil.rmtree(SCRATCH / "kubernetes", ignore_errors=True)
        self.work = SCRATCH / "kubernetes/work"
        self.work.mkdir(parents=True)
        shutil.copy(ROOT / "scripts/cluster/slurm_array.sh", self.work)
        (self.work / "script.lua").write_text(
            f'arg = {{ "{ROOT}/scripts/data", "40" }}\n'
            f'return dofile("{ROOT}/tests/cluster/experiment.lua")\n')
        self.pods = 0

    def start(self, job, **environment):
        """Starts the container of a pod, with a scratch disk of its own."""
        container = container_of(job)
        self.pods += 1
        scratch = SCRATCH / f"kubernetes/scratch_{self.pods}"
        scratch.mkdir()
        words = [word.replace("/scratch", str(scratch)).replace("sleep 10", "sleep 1")
                 for word in container["command"]]
        variables = {one["name"]: one["value"].replace("/scratch", str(scratch)) for one in container["env"]}
        path = f"{PROGRAM.parent}:/usr/bin:/bin"
        with open(SCRATCH / "kubernetes/log", "a") as log:
            return subprocess.Popen(
                words, cwd=self.work, stdout=log, stderr=log, start_new_session=True,
                env={"PATH": path, "HOME": "/nowhere", "CROSSFOLD_PLUGIN_PATH": "", **variables, **environment})

    def crossfold(self, *words):
        done = subprocess.run([PROGRAM, *words], cwd=self.work, capture_output=True, text=True,
                              env={"HOME": "/nowhere", "CROSSFOLD_PLUGIN_PATH": ""})
        return done.returncode, done.stdout, done.stderr

    def test_every_place_has_the_same_number_of_shards(self):
        numbers = {one["value"] for job in (SHARDS, MERGE) for one in container_of(job)["env"]
                   if one["name"] == "N"}
        self.assertEqual(numbers, {str(SHARDS["spec"]["completions"])})

    def test_a_pod_is_killed_and_replaced_and_the_store_has_the_bytes_of_one_machine(self):
        status, printed, _ = self.crossfold("run", "--store", "one.cfdb", "script.lua")
        self.assertEqual(status, 3)
        merge = self.start(MERGE)  # before any shard; it waits for all of them
        time.sleep(0.5)
        for index in range(SHARDS["spec"]["completions"]):
            pod = self.start(SHARDS, JOB_COMPLETION_INDEX=str(index), SAVE="0")
            if index == 5:
                time.sleep(0.05)
                os.killpg(pod.pid, signal.SIGKILL)
                self.assertEqual(pod.wait(), -signal.SIGKILL)
            else:
                self.assertEqual(pod.wait(), 0)
        self.assertEqual(self.crossfold("status", "--missing", "--shards", "8", "results.cfdb-parts"),
                         (0, "6\n", ""))
        self.assertIsNone(merge.poll())
        self.assertEqual(self.start(SHARDS, JOB_COMPLETION_INDEX="5", SAVE="0").wait(), 0)
        self.assertEqual(merge.wait(), 0)
        log = (SCRATCH / "kubernetes/log").read_text()
        self.assertIn(printed, log)
        self.assertIn("results.cfdb: 420 cells found, 0 computed\n", log)
        for store in ("one", "results"):
            self.assertEqual(self.crossfold("export", store + ".cfdb", store + ".zip")[0], 0)
        self.assertEqual((self.work / "one.zip").read_bytes(), (self.work / "results.zip").read_bytes())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
