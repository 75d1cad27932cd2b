import type { BillingCallName } from '@tollgate/contract/billing'
import type { AuthCallName } from '@tollgate/contract/calls'

/** Titles of calls whose names alone do not read as one. A test compares the names with the calls. */
const titles: Readonly<Record<string, string>> = {
  ok: 'Check the server',
  errorPage: 'Show the error page',
  signUpEmail: 'Sign up with email',
  signInEmail: 'Sign in with email',
  signInUsername: 'Sign in with username',
  signInMagicLink: 'Send a sign-in link',
  verifyMagicLink: 'Sign in with a mailed link',
  signInEmailOtp: 'Sign in with a mailed code',
  signInSocial: 'Sign in with a provider',
  signInOAuth2: 'Sign in with a custom provider',
  oauthCallback: 'Return from a provider',
  oauthCallbackForm: 'Return from a provider by form',
  forgetPassword: 'Request password reset (older name)',
  resetPasswordCallback: 'Follow a reset link',
  deleteUserCallback: 'Follow a deletion link',
  accountInfo: 'Get profile of linked account',
  linkSocial: 'Link a provider',
  getToken: 'Get token for other services',
  getJwks: 'Get public keys',
  isUsernameAvailable: 'Check username',
  updateUser: 'Update profile',
  uploadUserImage: 'Upload profile picture',
  previewUserDeletion: 'Preview account deletion',
  previewOrganizationDeletion: 'Preview organization deletion',
  adminPreviewUserRemoval: 'Preview user removal',
  adminPreviewOrganizationDeletion: 'Preview organization deletion',
  adminSetRole: 'Set user roles',
  adminSetSelling: 'Approve selling',
  adminHasPermission: 'Check permissions',
  adminListAttention: 'List attention entries',
  adminResolveAttention: 'Resolve attention entry',
  hasPermission: 'Check permissions',
  checkOrganizationSlug: 'Check slug',
  listUserInvitations: 'List own invitations',
  listUserTeams: 'List own teams',
  getClientCheckout: 'Get checkout as buyer',
  updateClientCheckout: 'Update checkout as buyer',
  confirmClientCheckout: 'Confirm checkout',
  getExternalCustomer: 'Get customer by external ID',
  updateExternalCustomer: 'Update customer by external ID',
  deleteExternalCustomer: 'Delete customer by external ID',
  getExternalCustomerState: 'Get customer state by external ID',
  makeDefaultCustomerPaymentMethod: 'Make default payment method',
  listExternalCustomerPaymentMethods: 'List payment methods by external ID',
  decideSandboxDispute: 'Decide test dispute',
  createSandboxConfirmationToken: 'Create test confirmation token',
  completeSandboxAction: 'Complete test 3-D Secure',
  completeFile: 'Complete file upload',
  listMerchants: 'List organizations',
  createMerchant: 'Create organization',
  getMerchant: 'Get organization',
  updateMerchant: 'Update organization',
  receiveStripeEvent: 'Receive Stripe event',
} satisfies Partial<Record<AuthCallName | BillingCallName, string>>

/** The title of a call: `Create checkout link` for `createCheckoutLink`. */
export function titleOf(id: string): string {
  const own = Object.hasOwn(titles, id) ? titles[id] : undefined
  if (own !== undefined) return own
  // The group of the tree says that these are an administrator's calls.
  const words = id.replace(/^admin(?=[A-Z])/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  const text = words.trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}
