/** The purpose of the seal of a provider's tokens. */
export const tokenPurpose = 'provider-token'
