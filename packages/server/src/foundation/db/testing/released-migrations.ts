/** The migrations of an empty database, in order. A name that is released stays: databases remember it. */
export const releasedMigrations = [
  '0001-foundation',
  '0002-sign-in-methods',
  '0003-organizations',
  '0004-endings',
  '0005-billing',
  '0006-business',
  '0007-webhook-order',
  '0008-open-disputes',
  '0009-sessions-never-extended',
  '0010-session-methods',
  '0011-product-showcase',
  '0012-subscription-times',
  '0013-brand',
  '0014-pictures',
  '0015-account-events',
  '0016-billing-engine',
]
