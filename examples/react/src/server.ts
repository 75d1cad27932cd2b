/** Tollgate's address: another origin than this page. */
export const server = 'http://localhost:3000'
