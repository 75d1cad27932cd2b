/** Where Tollgate is: another origin than this page. */
export const server = 'http://localhost:3000'
