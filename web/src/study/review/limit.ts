/* The longest game that the page reviews, and that a link to a review holds. */
export const MOST_MOVES = 1000;
