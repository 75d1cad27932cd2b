/**
 * Whether an address only stands for one: of somebody who came by a provider that shares none. Nothing is ever sent to it,
 * because no name can end in `.invalid` (RFC 2606, section 2).
 */
export const isPlaceholder = (email: string): boolean => email.endsWith('.invalid')
