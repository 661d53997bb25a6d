/* The file of a table: "kolem:steps=4" is in "kolem-steps_4.nonet-table". The command names it so, too. */
export const fileOf = (table: string): string => `${table.replace(/[:,]/g, "-").replace(/=/g, "_")}.nonet-table`;
