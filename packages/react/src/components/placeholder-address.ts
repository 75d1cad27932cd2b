/**
 * Whether an address is a placeholder of a user whose provider shares none. It never gets mail, because no domain ends
 * in `.invalid` (RFC 2606, section 2).
 */
export const isPlaceholder = (email: string): boolean => email.endsWith('.invalid')
