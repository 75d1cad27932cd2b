/** The texts of the pages of processors. */
export const processorNames = { sandbox: 'Sandbox', stripe: 'Stripe' } as const

export const processorsWords = {
  title: 'Processors',
  text: 'Who takes the payments of this installation.',
  loading: 'Loading processors',
  gone: { title: 'There is nothing here', text: 'You may no longer be a member of this organization.' },
  call: 'List the processors',
  about: {
    sandbox: 'Takes test cards and moves no money. Made for trying things out.',
    stripe: 'Takes cards and other ways to pay, for real money or in Stripe’s test mode.',
  },
  takes: 'Takes payments',
  settles: 'Only ends what it has begun',
  off: 'Off',
  state: 'State',
  money: 'Money',
  test: 'Test: no money moves',
  real: 'Real money',
  eventsUrl: 'Events address',
  eventsHint: 'Tell Stripe to send its events here: what buyers’ banks decide later arrives this way.',
  lastEvent: 'Last event',
  noEvent: 'None has arrived yet',
  how: {
    title: 'Switch Stripe on',
    text: 'Your administrator sets these three variables and restarts the server:',
    settings: [
      { name: 'STRIPE_SECRET_KEY', text: 'The secret key, from Developers › API keys at Stripe.' },
      { name: 'STRIPE_PUBLISHABLE_KEY', text: 'The publishable key beside it; the checkout page uses it.' },
      { name: 'STRIPE_WEBHOOK_SECRET', text: 'The signing secret of the event destination with the address above.' },
    ],
    after: 'New checkouts are then paid at Stripe; those that are open stay where they have begun.',
  },
} as const
