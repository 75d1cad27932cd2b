import { handle } from '../../tollgate'

// Every path without a page of this application: sign-in, account and Tollgate's other pages with their files, and the
// billing API at /v1, which uses all methods. Remove this file if your application draws those pages itself and sells
// nothing.
export { handle as DELETE, handle as GET, handle as OPTIONS, handle as PATCH, handle as POST, handle as PUT }
