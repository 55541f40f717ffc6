/** Chooses between the texts of the languages. */
export type Choose = (english: string, german: string) => string;
