/** What `deleteUser` says it has done, on the wire: who asks for a deletion tells the two apart by it. */
export const deletionMessages = { deleted: 'User deleted', mailed: 'Verification email sent' } as const
