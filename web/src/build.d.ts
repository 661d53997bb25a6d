/* What vite.config.ts puts in when the page is built. */
declare const LESSONS: string[]; // the games that have lessons
