/**
 * Letters with their marks as one, without what steers a terminal, turns the direction of writing, or only says which form
 * of a letter is meant.
 */
export const plain = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\P{C}\n]|\p{Variation_Selector}/gu, '')
