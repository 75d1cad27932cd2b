import { handle } from '../../tollgate'

// Every path that this application has no page for: sign-in, account and Tollgate's other pages with their files.
// Leave this file out when your application draws those pages itself.
export { handle as GET, handle as POST }
