/** What the overview says. */
export const overviewWords = {
  title: 'Overview',
  loading: 'Loading the overview',
  first: {
    title: 'From nothing to a first order',
    text: (done: number, of: number) => `${done} of ${of} done`,
    done: 'Done',
    product: { title: 'Create a product', text: 'What people buy, and what it costs.', action: 'New product' },
    link: {
      title: 'Make a checkout link',
      text: 'An address that sells the product, without any code.',
      action: 'New checkout link',
    },
    webhook: {
      title: 'Receive a webhook',
      text: 'Your own program is told what happens, such as a paid order.',
      action: 'New endpoint',
      test: 'Send a test event',
    },
    order: {
      title: 'Get a first order',
      text: 'Open the checkout and buy it yourself.',
      sandbox: 'Open the checkout and pay with a test card; no money moves.',
      action: 'Open the checkout',
    },
  },
  endpoint: {
    failing: (name: string) => `Nothing comes through to the webhook endpoint ${name}.`,
    off: (name: string) => `The webhook endpoint ${name} was switched off, because nothing came through.`,
    show: 'Show endpoint',
    showNamed: (name: string) => `Show endpoint ${name}`,
  },
  numbers: 'Numbers',
  revenue: 'Revenue this month',
  revenueHint: 'Before tax, refunds taken off.',
  orders: 'Orders this month',
  subscriptions: 'Active subscriptions',
  customers: 'Customers',
  none: '0',
  recentOrders: { title: 'Recent orders', all: 'All orders', none: 'No orders yet.', loading: 'Loading orders' },
  recentCheckouts: {
    title: 'Recent checkouts',
    none: 'No checkouts yet.',
    loading: 'Loading checkouts',
    noAddress: 'No email address yet',
  },
  noName: 'No name',
} as const
