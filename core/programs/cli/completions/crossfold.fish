# Completion of crossfold for fish. The program itself knows its commands: see core/programs/cli/commands.h.
function __crossfold_candidates
    set -l words (commandline -opc)
    set -l program $words[1]
    set -e words[1]
    set -l current (commandline -ct)
    set -l candidates ($program complete -- $words "$current" 2>/dev/null)
    if test "$candidates" = :files
        __fish_complete_path "$current"
    else
        string join -- \n $candidates
    end
end
complete -c crossfold -f -a '(__crossfold_candidates)'
