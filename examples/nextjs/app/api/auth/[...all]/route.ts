import { handle } from '../../../../tollgate'

// The API: sign-up, sign-in, sessions and all the rest.
export { handle as GET, handle as OPTIONS, handle as POST }
