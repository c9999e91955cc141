-- registry_test.lua PROGRAM TESTS SCRATCH: registries of plugins, and what is refused of them. TESTS is the folder of
-- plugins that were built for tests.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"

local program, tests, scratch = table.unpack(arg, 1, 3)
local own -- the shell of a test, in a folder of its own: home/ is the user's, reg/ the registry, and keys

local function write(name, text) return own:write(name, text) end
local function read(name) return Shell.read(own.folder .. "/" .. name) end

-- Runs a line in the folder of the test, in which $X is the program. Returns status, stdout, stderr.
local function shell(line, ...)
  if select("#", ...) > 0 then line = line:format(...) end
  return own:run((line:gsub("%$X", '"$CROSSFOLD"')))
end

local function must(line, ...) return Shell.printed(shell(line, ...)) end

-- The message of a command that is refused, without the names of this test's folder.
local function refusal(line, ...)
  local status, _, errors = shell(line, ...)
  lu.assertEquals(status, 1, line)
  return (errors:gsub(own.folder:gsub("%p", "%%%0"), "HERE"):gsub("^crossfold: ", ""):gsub("\n$", ""))
end

-- A plugin that is a folder, in a language that is never run here.
local function plugin(id, version, folder)
  local name = ("%s/%s.crossfold"):format(folder or version, id:match("[^.]*$"))
  must("mkdir -p '%s'", name)
  write(name .. "/crossfold.json", ([[{ "crossfold": 1, "id": "%s", "version": "%s", "kind": "learner",
    "title": "a mean", "doc": "A mean.", "vendor": "Example", "license": "MIT", "start": ["./run"],
    "tasks": ["regression"], "accepts": ["numeric"] }]]):format(id, version))
  write(name .. "/run", "#!/bin/sh\necho " .. version .. "\n")
  return name
end

local function add(id, version) must("$X registry add --no-check reg '%s'", plugin(id, version)) end
local function sign(key) return must("$X registry sign reg --key %s.key", key or "alice") end
local function id_of(key) return (read(key .. ".pub"):match("public key (%x+)")) end
local function public(key) return (read(key .. ".pub"):match("\n(RW%S+)")) end

-- A signed registry with org.example.mean 1.0.0.
local function make_registry()
  must "$X registry init reg --id org.example && $X registry key alice"
  add("org.example.mean", "1.0.0")
  sign()
end

-- Changes the index without its owner, as someone who can write to the server would.
local function tamper(name, from, to)
  local text = read(name)
  local start, stop = text:find(from, 1, true)
  assert(start, from)
  write(name, text:sub(1, start - 1) .. to .. text:sub(stop + 1))
end

local function serial() return math.tointeger(read("reg/index.json"):match('"serial": (%d+)')) end

local function case()
  return {
    setUp = function()
      own = Shell.in_new_folder(scratch, program)
      own.home = own.folder .. "/home"
      make_registry()
    end,
    tearDown = function() own:remove() end,
  }
end

TestOwner = case()

function TestOwner:test_a_registry_is_made_filled_signed_and_verified()
  local output = must "$X registry init other --id org.other --title 'Others'"
  lu.assertEquals(output, "made registry org.other in other\n"
    .. "index 1 is not signed: crossfold registry sign other --key FILE\n")
  output = must("$X registry add --no-check other '%s'", plugin("org.other.mean", "1.0.0"))
  lu.assertEquals(output, "packed org.other.mean 1.0.0 for any: not checked\nadded 1 plugin\n"
    .. "index 2 is not signed: crossfold registry sign other --key FILE\n")
  output = must "$X registry sign other --key alice.key"
  lu.assertEquals(output, ("index 3 is signed by %s\nreaders see it now\n"):format(id_of "alice"))
  lu.assertEquals(must "$X registry verify other",
    "registry org.other, index 3: the signatures and 1 package are right\n")
end

function TestOwner:test_readers_see_a_draft_only_when_it_is_signed()
  add("org.example.mean", "2.0.0")
  must "$X registry trust reg --key alice.pub"
  lu.assertStrContains(must "$X plugin install org.example.mean", "installed org.example.mean 1.0.0\n")
  sign()
  lu.assertStrContains(must "$X plugin update", "installed org.example.mean 2.0.0, instead of 1.0.0\n")
end

function TestOwner:test_a_version_never_changes_its_bytes()
  local other = plugin("org.example.mean", "1.0.0", "other")
  write(other .. "/run", "#!/bin/sh\necho other\n")
  lu.assertEquals(refusal("$X registry add --no-check reg '%s'", other),
    "cannot add plugin 'other/mean.crossfold': the registry has org.example.mean 1.0.0 for any with other bytes; "
    .. "give it another version")
end

function TestOwner:test_a_version_that_was_removed_in_a_draft_is_not_added_with_other_bytes()
  must "$X registry remove reg org.example.mean"
  local other = plugin("org.example.mean", "1.0.0", "other")
  write(other .. "/run", "#!/bin/sh\necho other\n")
  lu.assertStrContains(refusal("$X registry add --no-check reg '%s'", other), "with other bytes")
  must("$X registry add --no-check reg '%s'", plugin("org.example.mean", "1.0.0"))
end

function TestOwner:test_a_version_after_the_at_sign_must_be_there()
  lu.assertEquals(refusal "$X registry remove reg org.example.mean@",
    "cannot remove plugin 'org.example.mean@': there is no version after '@'")
end

function TestOwner:test_verify_names_indexes_that_lead_to_the_keys_and_are_damaged()
  must "$X registry key bob && $X registry keys reg --add bob.pub && $X registry sign reg --key alice.key"
  must "$X registry verify reg && cp -a reg whole"
  write("reg/history/3.json", "changed")
  local status, output = shell "$X registry verify reg"
  lu.assertEquals(status, 3)
  lu.assertStrMatches(output, "history/3%.json: cannot read it: .*\n")
  must("rm -r reg && cp -a whole reg && rm reg/signatures/3.%s.minisig", id_of "alice")
  status, output = shell "$X registry verify reg"
  lu.assertEquals({ status, output }, { 3, "history/3.json: signatures by the keys of index 3 are missing\n" })
end

function TestOwner:test_a_package_that_is_not_the_one_of_the_index_is_not_run()
  local other = plugin("org.example.mean", "1.0.0", "other")
  write(other .. "/run", "#!/bin/sh\n: >\"$HOME/it_ran\"\n")
  must("mkdir home && $X plugin pack --no-check '%s' -o other.zip && cp other.zip reg/packages/*", other)
  local status, output = shell "$X registry check reg"
  lu.assertEquals(status, 3)
  lu.assertStrMatches(output, "org%.example%.mean 1%.0%.0: FAILED, .*packages/.*%.zip: its SHA%-256 is %x+, the index "
    .. "has %x+\n")
  must "$X registry docs reg"
  lu.assertEquals(must "ls home", "")
end

function TestOwner:test_reserved_ids_and_files_that_are_not_plugins_are_refused()
  lu.assertStrContains(refusal("$X registry add --no-check reg '%s'", plugin("crossfold.mean", "1.0.0")),
    "its id 'crossfold.mean' is reserved for the plugins of Crossfold; choose an id of your own")
  lu.assertEquals(refusal "$X registry add --no-check reg missing.crossfold.so",
    "cannot pack plugin 'missing.crossfold.so': there is no such file or folder")
end

function TestOwner:test_a_removed_plugin_is_gone_from_the_next_index_and_its_package_with_it()
  add("org.example.mean", "2.0.0")
  sign()
  lu.assertStrContains(must "$X registry remove reg org.example.mean@1.0.0",
    "removed org.example.mean 1.0.0 for any\n")
  sign()
  lu.assertEquals(must "ls reg/packages | sed 's/-[0-9a-f]*.zip//'", "org.example.mean-2.0.0-any\n")
  must "$X registry trust reg --key alice.pub"
  lu.assertEquals(refusal "$X plugin install org.example.mean@1.0.0",
    "cannot install plugin 'org.example.mean@1.0.0': there is no such version; there are: 2.0.0")
end

function TestOwner:test_verify_names_what_is_missing_or_changed()
  local package = must("ls reg/packages"):gsub("\n", "")
  write("reg/packages/" .. package, "changed")
  local status, output = shell "$X registry verify reg"
  lu.assertEquals(status, 3)
  lu.assertStrContains(output, "packages/" .. package .. ": its SHA-256 is ")
  must("rm 'reg/packages/%s'", package)
  status, output = shell "$X registry verify reg"
  lu.assertEquals({ status, output }, { 3, "packages/" .. package .. ": there is no such file\n" })
end

function TestOwner:test_an_index_is_renewed_for_a_time_or_for_ever()
  lu.assertEquals(must "$X registry renew reg --until 9999-12-31",
    "readers accept the index until 9999-12-31\nindex 4 is a draft; readers see index 3 until it is signed: "
    .. "crossfold registry sign reg --key FILE\n")
  sign()
  must "$X registry verify reg && $X registry trust reg --key alice.pub && $X plugin install org.example.mean"
  must "$X registry renew reg --until 2020-01-31"
  sign()
  local status, output = shell "$X registry verify reg"
  lu.assertEquals({ status, output }, { 3, "index.json: it ended on 2020-01-31\n" })
  lu.assertEquals(must "$X registry renew reg --until none", "the index has no end\nindex 6 is a draft; readers see "
    .. "index 5 until it is signed: crossfold registry sign reg --key FILE\n")
  sign()
  must "$X registry verify reg"
  lu.assertEquals(refusal "$X registry renew reg --until tomorrow",
    "cannot renew registry 'reg': 'tomorrow' is not a date such as 2027-03-31")
  lu.assertEquals(refusal "$X registry renew reg --until ''",
    "cannot renew registry 'reg': '' is not a date such as 2027-03-31")
end

function TestOwner:test_two_keys_must_sign_where_the_threshold_is_two()
  must "$X registry key bob && $X registry keys reg --add bob.pub --note Bob && $X registry sign reg --key alice.key"
  must "$X registry keys reg --threshold 2"
  lu.assertEquals(sign "alice", ("index 5 is signed by %s\nit needs 1 more signature\n"):format(id_of "alice"))
  lu.assertEquals(serial(), 4)
  lu.assertStrContains(sign "bob", "readers see it now\n")
  lu.assertEquals(serial(), 5)
end

function TestOwner:test_a_key_that_is_not_the_registrys_cannot_sign()
  must "$X registry key mallory"
  lu.assertEquals(refusal "$X registry sign reg --key mallory.key",
    ("cannot sign registry 'reg': key %s is not one of its keys; add it with --add"):format(id_of "mallory"))
end

function TestOwner:test_minisign_signs_and_verifies_the_same_files()
  if not os.execute("command -v minisign >/dev/null 2>&1") then lu.skip("minisign is not installed") end
  must("minisign -Vqm reg/index.json -x reg/signatures/%d.%s.minisig -p alice.pub", serial(), id_of "alice")
  add("org.example.mean", "2.0.0")
  must("minisign -S -s alice.key -m reg/index.next.json -x reg/signatures/%d.%s.minisig", serial() + 1, id_of "alice")
  lu.assertStrContains(must "$X registry sign reg", "readers see it now\n")
  lu.assertStrContains(must "$X registry verify reg", "the signatures and 2 packages are right\n")
end

function TestOwner:test_what_could_not_be_read_again_is_not_written()
  must "$X registry key bob"
  write("note", "Bob\nB")
  lu.assertEquals(refusal [[$X registry keys reg --add bob.pub --note "$(cat note)"]],
    "cannot change registry 'reg': its index: it, key 2: its 'note' is not one line of text")
  must "mkdir 'a\nb' && cp -a reg 'a\nb/reg'"
  lu.assertStrContains(refusal "$X registry trust 'a\nb/reg' --key alice.pub",
    "registry 1: its 'location' is not one line of text")
  lu.assertEquals(must "$X registry list", "no registry is known\n")
end

TestRefused = case()

function TestRefused:test_a_registry_that_is_not_known_is_refused_with_its_key()
  lu.assertEquals(refusal "$X plugin install org.example.mean --from reg",
    ("cannot use registry 'HERE/reg': it is not known yet, and says that key %s signs it; if its owner confirms that: "
    .. "--key %s"):format(id_of "alice", public "alice"))
end

function TestRefused:test_a_registry_without_a_signature_is_refused_unless_asked_for()
  must "$X registry init plain --id org.plain"
  must("$X registry add --no-check plain '%s'", plugin("org.plain.mean", "1.0.0"))
  lu.assertEquals(refusal "$X plugin install org.plain.mean --from plain",
    "cannot use registry 'HERE/plain': its index is not signed; if that is intended: --unsigned")
  lu.assertStrContains(must "$X plugin install org.plain.mean --from plain --unsigned",
    "installed org.plain.mean 1.0.0\n")
end

function TestRefused:test_a_tampered_package_is_refused_before_it_is_unpacked()
  must "$X registry trust reg --key alice.pub"
  local package = must("ls reg/packages"):gsub("\n", "")
  local bytes = read("reg/packages/" .. package)
  write("reg/packages/" .. package, bytes:sub(1, -2) .. "x")
  local message = refusal "$X plugin install org.example.mean"
  lu.assertStrMatches(message, "cannot install plugin 'org.example.mean': the SHA%-256 of 'HERE/reg/packages/.*%.zip' "
    .. "is %x+, the index has %x+: the package was changed; nothing was installed; ask the registry's owner")
  lu.assertEquals(must "find home/.local/share/crossfold/installed", "home/.local/share/crossfold/installed\n")
end

function TestRefused:test_a_package_that_became_longer_is_refused()
  must "$X registry trust reg --key alice.pub && for package in reg/packages/*; do echo more >>$package; done"
  lu.assertStrMatches(refusal "$X plugin install org.example.mean",
    "cannot read 'HERE/reg/packages/.*%.zip': it has more than %d+ bytes, so it is not what belongs there; ask the "
    .. "registry's owner")
end

function TestRefused:test_a_tampered_index_is_refused()
  must "$X registry trust reg --key alice.pub"
  tamper("reg/index.json", '"version": "1.0.0"', '"version": "9.0.0"')
  -- The serial that was seen is another index now.
  lu.assertStrContains(refusal "$X plugin install org.example.mean",
    "is another one than was seen before; ask its owner, or forget what was seen: crossfold registry forget "
    .. "org.example")
  tamper("reg/index.json", '"serial": 3', '"serial": 4')
  must("cp reg/signatures/3.%s.minisig reg/signatures/4.%s.minisig", id_of "alice", id_of "alice")
  lu.assertEquals(refusal "$X plugin install org.example.mean",
    ("cannot use registry 'HERE/reg': the signature by key %s: it is not of these bytes; the index or its signature "
    .. "was changed; ask its owner; if its owner has other keys now, forget the old ones: crossfold registry forget "
    .. "org.example"):format(id_of "alice"))
end

function TestRefused:test_a_tampered_or_missing_signature_is_refused()
  local name = ("reg/signatures/%d.%s.minisig"):format(serial(), id_of "alice")
  tamper(name, "registry org.example", "registry org.exbmple")
  lu.assertEquals(refusal "$X registry trust reg --key alice.pub",
    ("cannot use registry 'HERE/reg': the signature by key %s: its comment was changed; the index or its signature was "
    .. "changed; ask its owner; its owner publishes the right one"):format(id_of "alice"))
  must("rm '%s'", name)
  lu.assertEquals(refusal "$X registry trust reg --key alice.pub",
    ("cannot use registry 'HERE/reg': its index is not signed by key %s, which you trust; its owner "
    .. "publishes the right one"):format(id_of "alice"))
end

function TestRefused:test_an_old_index_that_is_put_back_is_refused()
  must "cp -a reg old"
  add("org.example.mean", "2.0.0")
  sign()
  must "$X registry trust reg --key alice.pub && rm -r reg && mv old reg"
  lu.assertEquals(refusal "$X plugin install org.example.mean",
    "cannot use registry 'HERE/reg': its index 3 is older than index 4, which was seen before: someone put an old one "
    .. "back, or a copy is out of date; ask its owner, or forget what was seen: crossfold registry forget org.example")
  must "$X registry forget org.example && $X registry trust reg --key alice.pub"
end

function TestRefused:test_an_index_that_has_ended_is_refused_unless_asked_for()
  must "$X registry renew reg --until 2020-01-31"
  sign()
  lu.assertEquals(refusal "$X plugin install org.example.mean --from reg --key alice.pub",
    "cannot use registry 'HERE/reg': its index 4 ended on 2020-01-31: its owner has not renewed it, or someone "
    .. "withholds the next one; ask its owner, or use it all the same: --ended")
  lu.assertStrContains(refusal "$X plugin install org.example.mean --from reg --unsigned", "ended on 2020-01-31")
  must "$X registry trust reg --key alice.pub --ended && $X plugin install org.example.mean --ended"
  -- The signatures count all the same.
  tamper("reg/index.json", '"serial": 4', '"serial": 9')
  lu.assertStrContains(refusal "$X plugin install org.example.mean --ended", "is not signed by key")
end

function TestRefused:test_a_revoked_key_is_refused_for_ever()
  must "$X registry key bob && $X registry keys reg --add bob.pub && $X registry sign reg --key alice.key"
  must "$X registry trust reg --key alice.pub && cp -a reg stolen"
  must("$X registry keys reg --revoke %s --reason 'laptop stolen'", id_of "alice")
  lu.assertStrContains(sign "bob", "readers see it now\n")
  must "$X plugin install org.example.mean" -- the revocation is seen
  -- The thief signs an index of their own, with a later serial.
  must "rm -r reg && mv stolen reg"
  for version = 2, 4 do
    add("org.example.mean", version .. ".0.0")
    sign "alice"
  end
  lu.assertEquals(refusal "$X plugin update",
    ("cannot use registry 'HERE/reg': its index is signed by key %s, which was revoked (laptop stolen); if its "
    .. "owner has other keys now, forget the old ones: crossfold registry forget org.example"):format(id_of "alice"))
  lu.assertStrContains(refusal "$X registry trust reg --key alice.pub", "which was revoked (laptop stolen)")
end

function TestRefused:test_rotated_keys_are_followed_by_those_who_knew_the_old_one()
  must "$X registry trust reg --key alice.pub"
  for _, pair in ipairs { { "alice", "bob" }, { "bob", "carol" } } do
    must("$X registry key %s && $X registry keys reg --add %s.pub", pair[2], pair[2])
    sign(pair[1])
    must("$X registry keys reg --remove %s", id_of(pair[1]))
    lu.assertStrContains(sign(pair[1]), "it needs 1 more signature\n")
    lu.assertStrContains(sign(pair[2]), "readers see it now\n")
  end
  must "$X plugin install org.example.mean"
  lu.assertStrContains(must "$X registry list", id_of "carol")
  -- An old key alone signs nothing any more.
  must "$X registry forget org.example"
  lu.assertStrContains(must "$X registry trust reg --key alice.pub", "signed by " .. id_of "carol")
end

-- A registry in the folder `name` whose owner is `key`, with org.example.mean 9.0.0 and any id.
local function make_other(name, id, key)
  must("$X registry init %s --id %s && $X registry add --no-check %s '%s'", name, id, name,
    plugin("org.example.mean", "9.0.0"))
  if key then must("$X registry key %s && $X registry sign %s --key %s.key", key, name, key) end
end

function TestRefused:test_a_registry_with_the_id_of_a_known_one_does_not_take_it_over()
  must "$X registry trust reg --key alice.pub && $X plugin install org.example.mean"
  make_other("other", "org.example", "mallory")
  must("$X registry add --no-check other '%s' && $X registry sign other --key mallory.key",
    plugin("org.example.more", "1.0.0"))
  lu.assertEquals(refusal "$X registry trust other --key mallory.pub",
    ("cannot use registry 'HERE/other': its index is not signed by key %s, which you trust; if its owner has other "
    .. "keys now, forget the old ones: crossfold registry forget org.example"):format(id_of "alice"))
  lu.assertEquals(must "$X plugin update", "no installed plugin has a newer version\n")
end

function TestRefused:test_the_place_of_a_registry_serves_that_registry_only()
  must "$X registry trust reg --key alice.pub && mv reg gone"
  make_other("reg", "org.other")
  lu.assertEquals(refusal "$X plugin install org.example.mean",
    "cannot use registry 'HERE/reg': it is registry 'org.other' now, and was 'org.example'; if its owner changed that: "
    .. "crossfold registry forget org.example")
end

function TestRefused:test_a_registry_without_keys_is_known_by_its_place()
  make_other("plain", "org.plain")
  must "$X registry trust plain --unsigned && cp -a plain elsewhere"
  lu.assertStrContains(must "$X plugin install org.example.mean --from org.plain", "installed org.example.mean 9.0.0\n")
  lu.assertEquals(refusal "$X plugin install org.example.mean --from elsewhere",
    "cannot use registry 'HERE/elsewhere': its index is not signed; if that is intended: --unsigned")
end

function TestRefused:test_a_place_that_is_trusted_takes_that_of_a_registry_without_keys()
  make_other("plain", "org.plain")
  must("$X registry add --no-check plain '%s' && $X registry trust plain --unsigned",
    plugin("org.example.more", "1.0.0"))
  make_other("signed", "org.plain", "carol")
  must "$X registry trust signed --key carol.pub"
  lu.assertEquals(must "$X registry list | tail -n 1 | sed 's/ .*//'", "org.plain\n")
  lu.assertStrContains(must "$X registry list", id_of "carol")
end

function TestRefused:test_a_registry_that_was_not_checked_is_not_kept()
  must "$X registry trust reg --key alice.pub"
  make_other("other", "org.example")
  lu.assertEquals(refusal "$X registry trust other --unsigned",
    "cannot keep registry 'other': what signs it was not checked, and it has keys or is known with keys; name one with "
    .. "--key, or forget it: crossfold registry forget org.example")
end

function TestRefused:test_unsigned_is_about_the_registry_that_is_named()
  must "$X registry trust reg --key alice.pub"
  tamper("reg/index.json", '"serial": 3', '"serial": 9')
  lu.assertStrContains(refusal "$X plugin install org.example.mean --unsigned", "is not signed by key")
  must "$X plugin install org.example.mean --unsigned --from reg"
  -- That is not remembered.
  lu.assertStrContains(refusal "$X plugin install org.example.mean", "is not signed by key")
  tamper("reg/index.json", '"serial": 9', '"serial": 3')
  must "$X plugin install org.example.mean"
end

function TestRefused:test_a_registry_that_takes_its_keys_out_of_the_index_is_refused()
  must "$X registry trust reg --key alice.pub && mv reg gone"
  make_other("reg", "org.example")
  tamper("reg/index.json", '"serial": 2', '"serial": 7')
  lu.assertStrContains(refusal "$X plugin install org.example.mean",
    ("its index is not signed by key %s, which you trust"):format(id_of "alice"))
end

function TestOwner:test_a_key_is_not_revoked_if_too_few_are_left_to_sign_that()
  must "$X registry key bob && $X registry keys reg --add bob.pub && $X registry sign reg --key alice.key"
  must "$X registry keys reg --threshold 2"
  must "$X registry sign reg --key alice.key && $X registry sign reg --key bob.key"
  lu.assertEquals(refusal("$X registry keys reg --revoke %s", id_of "alice"),
    "cannot revoke a key of registry 'reg': 1 keys would be left, and 2 must sign; publish a lower threshold or more "
    .. "keys first")
end

function TestOwner:test_a_version_is_added_once()
  local first, second = plugin("org.example.mean", "2.0.0", "first"), plugin("org.example.mean", "2.0.0", "second")
  write(second .. "/run", "#!/bin/sh\necho other\n")
  lu.assertStrContains(refusal("$X registry add --no-check reg '%s' '%s'", first, second),
    "cannot add plugin 'second/mean.crossfold': the registry has org.example.mean 2.0.0 for any with other bytes")
  lu.assertEquals(must "ls reg/packages | wc -l", "1\n")
end

TestInstall = case()

-- A package of a shared library for another machine, which cannot be read here, with the checks that it came with.
local function make_foreign_package()
  write("foreign.py", [[
import hashlib, json, zipfile
library = b"another machine's"
check = {"host": "0.0.9", "date": "2026-01-02", "seed": 1, "passed": True, "counts": {"ok": 7}, "findings": []}
described = {"crossfold_package": 1, "id": "org.example.mips", "version": "2.0.0",
             "components": [{"id": "org.example.mips", "kind": "learner"}], "abi": "1.0", "os": "linux",
             "arch": "mips", "glibc": "2.3", "file": "m.crossfold.so", "folder": False,
             "sha256": hashlib.sha256(library).hexdigest(), "check": check}
with zipfile.ZipFile("foreign.zip", "w") as package:
    package.writestr("package.json", json.dumps(described))
    package.writestr("m.crossfold.so", library)
]])
  must "python3 foreign.py"
end

function TestInstall:test_a_plugin_for_another_machine_keeps_its_checks_and_is_not_installed_here()
  make_foreign_package()
  lu.assertStrContains(must "$X registry add reg foreign.zip",
    "packed org.example.mips 2.0.0 for linux-mips: 7 ok (Crossfold 0.0.9, 2026-01-02)\nadded 1 plugin\n")
  sign()
  self:setUp_registry()
  local machine = must "uname -m":gsub("\n", "")
  lu.assertStrMatches(refusal "$X plugin install org.example.mips",
    ("cannot install plugin 'org.example.mips': it is not for this machine %%(linux%%-%s, glibc [%%d.]+%%); there are "
    .. "builds for: linux%%-mips, glibc 2.3, plugin ABI 1"):format(machine))
end

function TestInstall:test_a_plugin_for_another_machine_that_failed_there_is_not_added()
  make_foreign_package()
  write("foreign.py", (read "foreign.py":gsub('"passed": True, "counts": {"ok": 7}',
    '"passed": False, "counts": {"failed": 7}')))
  must "python3 foreign.py"
  lu.assertEquals(refusal "$X registry add reg foreign.zip",
    "cannot add plugin 'foreign.zip': it failed checks where it was packed (7 failed (Crossfold 0.0.9, 2026-01-02)); "
    .. "have it fixed there")
  lu.assertStrContains(must "$X registry add --no-check reg foreign.zip",
    "packed org.example.mips 2.0.0 for linux-mips: not checked\n")
end

function TestInstall:test_a_package_whose_files_are_not_those_it_describes_is_refused()
  make_foreign_package()
  write("foreign.py", (read "foreign.py":gsub('"m.crossfold.so", library', '"m.crossfold.so", library + b"!"')))
  must "python3 foreign.py"
  lu.assertStrMatches(refusal "$X registry add reg foreign.zip",
    "cannot unpack 'foreign.zip': the SHA%-256 of its 'm.crossfold.so' is %x+, package.json has %x+")
  write("foreign.py", (read "foreign.py":gsub('"m.crossfold.so", library', '"../m.crossfold.so", library')))
  must "python3 foreign.py"
  lu.assertEquals(refusal "$X registry add reg foreign.zip",
    "cannot unpack 'foreign.zip': it has an unexpected file '../m.crossfold.so'")
end

function TestInstall:setUp_registry() must "$X registry trust reg --key alice.pub" end

function TestInstall:test_the_newest_version_is_installed_and_candidates_only_by_name()
  self:setUp_registry()
  for _, version in ipairs { "1.9.0", "1.10.0", "2.0.0-rc1" } do add("org.example.mean", version) end
  sign()
  lu.assertStrContains(must "$X plugin install org.example.mean", "installed org.example.mean 1.10.0\n")
  lu.assertStrContains(must "$X plugin install org.example.mean@2.0.0-rc1",
    "installed org.example.mean 2.0.0-rc1, instead of 1.10.0\n")
end

function TestInstall:test_an_installed_plugin_is_found_by_the_search()
  self:setUp_registry()
  must "$X plugin install org.example.mean"
  lu.assertStrMatches(must "$X plugin list", ".*org%.example%.mean +learner +1%.0%.0 +org%.example%.mean +ready.*")
end

function TestInstall:test_pinned_versions_stay_until_they_are_named()
  self:setUp_registry()
  must "$X plugin install org.example.mean@1.0.0"
  add("org.example.mean", "2.0.0")
  sign()
  lu.assertEquals(must "$X plugin outdated",
    "id                installed  available  registry     pinned\n"
    .. "----------------  ---------  ---------  -----------  ------\n"
    .. "org.example.mean  1.0.0      2.0.0      org.example  yes\n")
  lu.assertEquals(must "$X plugin update", "no installed plugin has a newer version\n")
  lu.assertStrContains(must "$X plugin update org.example.mean", "installed org.example.mean 2.0.0, instead of 1.0.0\n")
  lu.assertEquals(must "$X plugin rollback org.example.mean",
    "rolled back org.example.mean from 2.0.0 to 1.0.0, which is pinned now\n")
  lu.assertEquals(refusal "$X plugin rollback org.example.mean",
    "cannot roll back plugin 'org.example.mean': version 1.0.0 is the only one that was installed")
end

function TestInstall:test_a_lock_follows_what_is_installed()
  self:setUp_registry()
  write("crossfold.lock", '{ "crossfold_lock": 1, "plugins": [] }\n')
  local function locked()
    return must("$X --locked plugin list"):match("org%.example%.mean +learner +(%S+) +org%.example%.mean +(%S+)")
  end
  must "$X plugin install org.example.mean"
  lu.assertEquals({ locked() }, { "1.0.0", "ready" })
  add("org.example.mean", "2.0.0")
  sign()
  must "$X plugin update"
  lu.assertEquals({ locked() }, { "2.0.0", "ready" })
  must "$X plugin rollback org.example.mean"
  lu.assertEquals({ locked() }, { "1.0.0", "ready" })
  must "$X plugin remove org.example.mean"
  lu.assertEquals(read "crossfold.lock", '{\n  "crossfold_lock": 1,\n  "plugins": []\n}\n')
end

function TestInstall:test_a_name_that_is_a_folder_removes_nothing()
  self:setUp_registry()
  must "$X plugin install org.example.mean"
  for _, name in ipairs { ".", "..", "../.." } do
    lu.assertEquals(refusal("$X plugin remove %s", name),
      ("cannot remove plugin '%s': it is not installed"):format(name))
  end
  lu.assertEquals(must "$X plugin list | grep -c 'example.mean .*1.0.0.*ready'", "1\n")
end

function TestInstall:test_commands_take_turns_until_their_files_are_gone()
  self:setUp_registry()
  write("crossfold.lock", '{ "crossfold_lock": 1, "plugins": [] }\n')
  must "$X plugin install org.example.mean && mkdir elsewhere"
  -- The removal waits for the lock when it has changed installed.json; the installation waits for the removal.
  must("flock crossfold.lock.new sh -c 'until [ -e removed ]; do sleep 0.05; done; sleep 0.5' & "
    .. "while flock -n crossfold.lock.new true; do sleep 0.05; done; $X plugin remove org.example.mean & "
    .. "while grep -q org.example.mean home/.local/share/crossfold/installed/installed.json; do sleep 0.05; done; "
    .. ": >removed; cd elsewhere && $X plugin install org.example.mean; wait")
  lu.assertEquals(must "$X plugin list | grep -c 'example.mean .*1.0.0.*ready'", "1\n")
end

function TestInstall:test_files_that_were_changed_after_installing_are_not_used_again()
  self:setUp_registry()
  must "$X plugin install org.example.mean@1.0.0"
  add("org.example.mean", "2.0.0")
  sign()
  must "$X plugin update org.example.mean && chmod -R u+w home"
  must "for file in home/.local/share/crossfold/installed/plugins/*/1.0.0-*/*/run; do echo changed >> $file; done"
  lu.assertStrMatches(refusal "$X plugin rollback org.example.mean",
    "cannot roll back plugin 'org.example.mean': the files of version 1.0.0 in '.*' were changed; install that "
    .. "version again")
  lu.assertStrContains(must "$X plugin install org.example.mean@1.0.0",
    "installed org.example.mean 1.0.0, instead of 2.0.0\n")
  lu.assertEquals(must "$X plugin list | grep -c 'example.mean .*1.0.0.*ready'", "1\n")
end

function TestInstall:test_an_update_comes_only_from_the_registry_of_the_plugin()
  self:setUp_registry()
  must "$X plugin install org.example.mean"
  must "$X registry init evil --id org.evil && $X registry key mallory"
  must("$X registry add --no-check evil '%s'", plugin("org.example.mean", "9.0.0"))
  must "$X registry sign evil --key mallory.key"
  must "$X registry trust evil --key mallory.pub"
  lu.assertEquals(must "$X plugin update", "no installed plugin has a newer version\n")
  lu.assertEquals(must "$X plugin outdated", "no installed plugin has a newer version\n")
end

function TestInstall:test_a_new_id_that_two_registries_have_must_be_asked_for_by_registry()
  self:setUp_registry()
  make_other("other", "org.other", "bob")
  must "$X registry trust other --key bob.pub"
  lu.assertEquals(refusal "$X plugin install org.example.mean",
    "cannot install plugin 'org.example.mean': several registries have it: org.example, org.other; name one with "
    .. "--from")
  must "$X plugin install org.example.mean --from org.other"
  lu.assertStrContains(must "$X plugin install org.example.mean", "registry: org.other\n")
  must "$X plugin install org.example.mean --from org.example"
  must "$X plugin rollback org.example.mean"
  lu.assertStrContains(must "$X plugin info org.example.mean --from org.other", "installed: 9.0.0 (pinned)\n")
end

function TestInstall:test_a_registry_that_cannot_be_read_is_left_out_with_a_warning()
  self:setUp_registry()
  make_other("other", "org.other", "bob")
  must "$X registry trust other --key bob.pub && rm -r other"
  local status, output, errors = shell "$X plugin install org.example.mean"
  lu.assertEquals(status, 0)
  lu.assertStrContains(output, "installed org.example.mean 1.0.0\n")
  lu.assertStrMatches(errors, "crossfold: cannot use registry '.*other': it has no index.json; .* forget ID; it was "
    .. "left out\n")
end

function TestInstall:test_a_second_plugin_in_a_package_is_refused()
  make_foreign_package()
  write("foreign.py", (read "foreign.py":gsub('"check": check}', '"check": check, "libraries": [{"file": '
    .. '"evil.crossfold/run", "sha256": hashlib.sha256(b"e").hexdigest()}]}'):gsub('library%)%s*$',
    'library)\n    package.writestr("evil.crossfold/run", b"e")\n')))
  must "python3 foreign.py"
  lu.assertEquals(refusal "$X registry add reg foreign.zip",
    "cannot unpack 'foreign.zip': package.json: its 'libraries' has a plugin")
end

function TestInstall:test_a_copied_folder_works_without_a_network_and_without_naming_the_key_again()
  self:setUp_registry()
  must "cp -a reg copy && mv reg gone"
  lu.assertStrContains(must "$X plugin install org.example.mean --from copy", "installed org.example.mean 1.0.0\n")
end

function TestInstall:test_a_web_server_serves_a_registry()
  if not os.execute("command -v curl >/dev/null 2>&1") then lu.skip("curl is not installed") end
  write("serve.py", [[
import functools, http.server, os, sys
class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory="reg"))
print(server.server_port, flush=True)
server.serve_forever()
]])
  must "python3 serve.py > port & echo $! > pid; while ! [ -s port ]; do sleep 0.02; done"
  local url = "http://127.0.0.1:" .. read("port"):match("%d+")
  local direct = "export no_proxy=127.0.0.1; $X "
  local status, output, errors = shell(direct .. "plugin install org.example.mean --from %s --key alice.pub", url)
  local _, missing, why = shell(direct .. "registry trust %s/nowhere --key alice.pub", url)
  must "kill $(cat pid)"
  lu.assertEquals({ status, errors, missing }, { 0, "", "" })
  lu.assertStrContains(output, "installed org.example.mean 1.0.0\n")
  lu.assertStrContains(why, "it has no index.json; if it has moved: crossfold registry trust FOLDER")
end

function TestInstall:test_a_shared_library_is_installed_with_the_library_that_it_brings_along()
  must("$X registry add --no-check reg '%s/scanned_plugins/neighbour_plugin/neighbour_plugin.crossfold.so'", tests)
  sign()
  self:setUp_registry()
  write("crossfold.lock", '{ "crossfold_lock": 1, "plugins": [] }\n')
  must "$X plugin install org.example.neighbour"
  lu.assertStrContains(read "crossfold.lock", '"file": "neighbours/libcrossfold_neighbour.so"')
  lu.assertStrContains(must "$X --locked plugin describe org.example.neighbour",
    "installed/plugins/org.example.neighbour/")
end

function TestInstall:test_names_that_are_nearly_right_get_a_suggestion()
  self:setUp_registry()
  lu.assertEquals(refusal "$X plugin install org.example.maen",
    "cannot install plugin 'org.example.maen': no registry that was searched has it; did you mean 'org.example.mean'?")
  lu.assertEquals(refusal "$X plugin remove org.example.mean",
    "cannot remove plugin 'org.example.mean': it is not installed")
end

function TestInstall:test_info_has_versions_licence_and_checks_as_json()
  self:setUp_registry()
  must "$X plugin install org.example.mean"
  local output = must "$X plugin info org.example.mean --json"
  lu.assertStrContains(output, '"installed": "1.0.0"')
  lu.assertStrContains(output, '"checks": null')
end

arg = {} -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
