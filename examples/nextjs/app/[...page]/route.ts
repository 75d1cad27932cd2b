import { handle } from '../../tollgate'

// Every path that this application has no page for: sign-in, account and Tollgate's other pages with their files, and the
// billing API at /v1, which changes and removes things by methods of their own. Leave this file out when your application
// draws those pages itself and sells nothing.
export { handle as DELETE, handle as GET, handle as OPTIONS, handle as PATCH, handle as POST, handle as PUT }
