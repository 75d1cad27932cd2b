/** The outcomes of `deleteUser` on the wire; callers tell them apart by these texts. */
export const deletionMessages = { deleted: 'User deleted', mailed: 'Verification email sent' } as const
