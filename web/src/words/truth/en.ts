/* Why a table of exact values could not be used. {0} is its file, {1} the command that builds it. */
export const en = {
  "trouble.missing": "The table of exact values of this variant ({0}) is not here, so the moves are searched. Whoever runs this site can build it ({1}) and put it into the folder tables beside the page.",
  "trouble.unreachable": "The table of exact values cannot be reached at the moment, so the moves are searched. It is tried again later.",
  "trouble.damaged": "The table of exact values is damaged, so the moves are searched.",
  "trouble.version": "The table of exact values is of another version of Nonet, so the moves are searched. Loading the page again may help.",
};
