# Completion of benchtop for fish. The program itself says what can follow, so
# this file knows no verb; it only fills in names of files.

function __benchtop_complete
    set -l before (commandline -opc)
    set -l word (commandline -ct)
    set -l program $before[1]
    set -e before[1]
    set -l line (string join ' ' -- $before "$word")
    for candidate in ($program complete -- "$line" 2>/dev/null)
        if test "$candidate" = FILE
            __fish_complete_path "$word"
        else
            echo $candidate
        end
    end
end

complete -c benchtop -f -a '(__benchtop_complete)'
