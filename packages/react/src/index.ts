export {
  AcceptInvitation,
  type AcceptInvitationProps,
  type AcceptInvitationStatus,
} from './components/accept-invitation.tsx'
export {
  type AccountFeatures,
  type AccountSection,
  AccountSettings,
  type AccountSettingsProps,
} from './components/account-settings.tsx'
export { Checkout, type CheckoutProps } from './components/billing/checkout.tsx'
export { CheckoutClosed, type CheckoutClosedProps } from './components/billing/checkout-closed.tsx'
export { SellerLine } from './components/billing/checkout-parts.tsx'
export { lineLabel } from './components/billing/line-label.ts'
export { PayLink, type PayLinkProps } from './components/billing/pay-link.tsx'
export { PricingTable, type PricingTableProps } from './components/billing/pricing-table.tsx'
export type {
  ProcessorFormProps,
  ProcessorHandle,
  ProcessorModule,
  ProcessorProblem,
  Processors,
  WalletBuyer,
  WalletPayment,
} from './components/billing/processor-form.ts'
export { CheckoutReceipt, type CheckoutReceiptProps } from './components/billing/receipt.tsx'
export type { TicketProduct } from './components/billing/ticket-parts.ts'
export { TicketPreview, type TicketPreviewProps } from './components/billing/ticket-preview.tsx'
export { type Captcha, type CaptchaOptions, createCaptcha } from './components/captcha.tsx'
export {
  ConfirmEmailChange,
  type ConfirmEmailChangeProps,
  type EmailChangeStatus,
} from './components/confirm-email-change.tsx'
export type { Connection } from './components/connections-section.tsx'
export { CreateOrganization, type CreateOrganizationProps } from './components/create-organization.tsx'
export { AccountDeleted, DeleteAccount, type DeleteAccountProps } from './components/delete-account.tsx'
export { type Device, deviceOf } from './components/device-name.ts'
export { ErrorPage, type ErrorPageProps } from './components/error-page.tsx'
export { ForgotPassword, type ForgotPasswordProps } from './components/forgot-password.tsx'
export {
  ImpersonationBanner,
  type ImpersonationBannerProps,
  ImpersonationNotice,
} from './components/impersonation-banner.tsx'
export {
  JoinOrganization,
  type JoinOrganizationProps,
  type JoinOrganizationStatus,
} from './components/join-organization.tsx'
export { MagicLink, type MagicLinkProps, MagicLinkSent, type MagicLinkSentProps } from './components/magic-link.tsx'
export type { OrganizationSection } from './components/organization/data.ts'
export {
  OrganizationSettings,
  type OrganizationSettingsProps,
} from './components/organization/organization-settings.tsx'
export { type OnCount, useOrganizationCounts } from './components/organization/parts.tsx'
export type { OrganizationSetup } from './components/organization/read-section.ts'
export { OrganizationList, type OrganizationListProps } from './components/organization-list.tsx'
export { OrganizationErrors } from './components/organization-parts.tsx'
export { OrganizationSwitcher, type OrganizationSwitcherProps } from './components/organization-switcher.tsx'
export { OrganizationUnverified, type OrganizationUnverifiedProps } from './components/organization-unverified.tsx'
export type { Shape } from './components/picture/crop.ts'
export { CropBoard, type CropWords, useCrop } from './components/picture/crop-board.tsx'
export { type ChosenPicture, useChosenPicture } from './components/picture/use-chosen-picture.ts'
export { Protect, type ProtectProps } from './components/protect.tsx'
export type { DrawMark, Provider } from './components/provider-buttons.tsx'
export { ProviderMark } from './components/provider-marks.tsx'
export { ResetPassword, type ResetPasswordProps } from './components/reset-password.tsx'
export { SignIn, type SignInProps } from './components/sign-in.tsx'
export { SignUp, type SignUpProps } from './components/sign-up.tsx'
export { SignedIn, SignedOut, UserButton, type UserButtonProps } from './components/user-button.tsx'
export {
  VerifyEmail,
  type VerifyEmailProps,
  type VerifyEmailStatus,
} from './components/verify-email.tsx'
export * from './elements/index.ts'
export type { Done, FormName, FormState } from './form-state.ts'
export {
  type OrganizationState,
  useOrganization,
  useOrganizations,
  usePermission,
} from './hooks/use-organization.ts'
export { useSession, useTollgate } from './hooks/use-session.ts'
export { adminErrorTexts } from './i18n/admin-error-text.ts'
export { billingErrorTexts, declineTexts } from './i18n/billing-error-text.ts'
export { matchesWord } from './i18n/confirmation-word.ts'
export {
  type CallbackErrorCode,
  callbackError,
  callbackErrors,
  callbackErrorText,
  errorTexts,
} from './i18n/error-text.ts'
export { format, formatRich, type Message, type Plural, type Values } from './i18n/format.ts'
export {
  type MessageGroup,
  type Messages,
  messageGroups,
  messagesFor,
  type PageMessages,
} from './i18n/messages.ts'
export { organizationErrorTexts } from './i18n/organization-error-text.ts'
export { textNamed } from './i18n/text-named.ts'
export { defaultPaths, type Paths } from './paths.ts'
export {
  type Appearance,
  type PasswordRules,
  TollgateProvider,
  type TollgateProviderProps,
  type UsernameRules,
  useMessages,
  useText,
} from './provider.tsx'
export { type TokenName, tokens } from './tokens/tokens.ts'
