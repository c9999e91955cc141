"""How the library refuses."""
import crossfold


def refusal(function, *arguments, **options):
    """The message of the Error that a call raises."""
    try:
        function(*arguments, **options)
    except crossfold.Error as error:
        return str(error)
    raise AssertionError("nothing was refused")
