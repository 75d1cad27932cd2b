import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { overviewSearchIn } from '../overview/overview.search.ts'
import type { Filters, ListCall, Resource } from '../resource.ts'
import { activitySearchIn } from '../seller/activity/activity.search.ts'
import { checkoutLinks } from '../seller/checkout-links/checkout-links.resource.ts'
import { customFields } from '../seller/custom-fields/custom-fields.resource.ts'
import { customers } from '../seller/customers/customers.resource.ts'
import { discounts } from '../seller/discounts/discounts.resource.ts'
import { meters } from '../seller/meters/meters.resource.ts'
import { orders } from '../seller/orders/orders.resource.ts'
import { payments } from '../seller/payments/payments.resource.ts'
import { products } from '../seller/products/products.resource.ts'
import { disputes, refunds } from '../seller/refunds/refunds.resource.ts'
import { subscriptions } from '../seller/subscriptions/subscriptions.resource.ts'
import { tokens } from '../seller/tokens/tokens.resource.ts'
import { deliveriesSearchIn } from '../seller/webhooks/webhook-deliveries.search.ts'
import { webhooks } from '../seller/webhooks/webhooks.resource.ts'
import { SellerPages } from '../shell.tsx'
import { page, root } from './root.ts'

/** The page of a resource's list, which begins to load with its code. */
function listRoute<
  Path extends string,
  Call extends ListCall,
  Sort extends string,
  Of extends Filters,
  Module extends Record<string, unknown>,
  Name extends keyof Module,
>(resource: Resource<Path, Call, Sort, Of>, load: () => Promise<Module>, name: Name) {
  return createRoute({
    getParentRoute: () => seller,
    path: resource.path,
    validateSearch: resource.searchIn,
    loader: ({ context, location }) => {
      resource.preload(context, resource.searchIn(location.search))
    },
    component: lazyRouteComponent(load, name),
  })
}

/** The pages of a selling organization; editors create a new item at `new`. */
const seller = createRoute({ getParentRoute: () => root, path: '/dashboard/$slug', component: SellerPages })

const overview = createRoute({
  getParentRoute: () => seller,
  path: '/',
  validateSearch: overviewSearchIn,
  component: page(() => import('../overview/overview.page.tsx'), 'OverviewPage'),
})

const activity = createRoute({
  getParentRoute: () => seller,
  path: 'activity',
  validateSearch: activitySearchIn,
  component: page(() => import('../seller/activity/activity.page.tsx'), 'ActivityPage'),
})

const productsList = listRoute(products, () => import('../seller/products/products.page.tsx'), 'ProductsPage')

const product = createRoute({
  getParentRoute: () => seller,
  path: 'products/$productId',
  component: page(() => import('../seller/products/product.page.tsx'), 'ProductPage'),
})

const customersList = listRoute(customers, () => import('../seller/customers/customers.page.tsx'), 'CustomersPage')

const customer = createRoute({
  getParentRoute: () => seller,
  path: 'customers/$customerId',
  component: page(() => import('../seller/customers/customer.page.tsx'), 'CustomerPage'),
})

const ordersList = listRoute(orders, () => import('../seller/orders/orders.page.tsx'), 'OrdersPage')

const order = createRoute({
  getParentRoute: () => seller,
  path: 'orders/$orderId',
  component: page(() => import('../seller/orders/order.page.tsx'), 'OrderPage'),
})

const subscriptionsList = listRoute(
  subscriptions,
  () => import('../seller/subscriptions/subscriptions.page.tsx'),
  'SubscriptionsPage',
)

const subscription = createRoute({
  getParentRoute: () => seller,
  path: 'subscriptions/$subscriptionId',
  component: page(() => import('../seller/subscriptions/subscription.page.tsx'), 'SubscriptionPage'),
})

const paymentsList = listRoute(payments, () => import('../seller/payments/payments.page.tsx'), 'PaymentsPage')

const payment = createRoute({
  getParentRoute: () => seller,
  path: 'payments/$paymentId',
  component: page(() => import('../seller/payments/payment.page.tsx'), 'PaymentPage'),
})

const refundsList = listRoute(refunds, () => import('../seller/refunds/refunds.page.tsx'), 'RefundsPage')

const disputesList = listRoute(disputes, () => import('../seller/refunds/disputes.page.tsx'), 'DisputesPage')

const discountsList = listRoute(discounts, () => import('../seller/discounts/discounts.page.tsx'), 'DiscountsPage')

const discount = createRoute({
  getParentRoute: () => seller,
  path: 'discounts/$discountId',
  component: page(() => import('../seller/discounts/discount.page.tsx'), 'DiscountPage'),
})

const checkoutLinksList = listRoute(
  checkoutLinks,
  () => import('../seller/checkout-links/checkout-links.page.tsx'),
  'CheckoutLinksPage',
)

const checkoutLink = createRoute({
  getParentRoute: () => seller,
  path: 'checkout-links/$linkId',
  component: page(() => import('../seller/checkout-links/checkout-link.page.tsx'), 'CheckoutLinkPage'),
})

const customFieldsList = listRoute(
  customFields,
  () => import('../seller/custom-fields/custom-fields.page.tsx'),
  'CustomFieldsPage',
)

const customField = createRoute({
  getParentRoute: () => seller,
  path: 'custom-fields/$fieldId',
  component: page(() => import('../seller/custom-fields/custom-field.page.tsx'), 'CustomFieldPage'),
})

const metersList = listRoute(meters, () => import('../seller/meters/meters.page.tsx'), 'MetersPage')

const meter = createRoute({
  getParentRoute: () => seller,
  path: 'meters/$meterId',
  component: page(() => import('../seller/meters/meter.page.tsx'), 'MeterPage'),
})

const tokensList = listRoute(tokens, () => import('../seller/tokens/tokens.page.tsx'), 'TokensPage')

const webhooksList = listRoute(webhooks, () => import('../seller/webhooks/webhooks.page.tsx'), 'WebhooksPage')

const webhookEditor = () => import('../seller/webhooks/webhook-editor.page.tsx')

const newWebhook = createRoute({
  getParentRoute: () => seller,
  path: 'webhooks/new',
  component: lazyRouteComponent(webhookEditor, 'WebhookEditorPage'),
})

const webhook = createRoute({
  getParentRoute: () => seller,
  path: 'webhooks/$endpointId',
  validateSearch: deliveriesSearchIn,
  component: page(() => import('../seller/webhooks/webhook.page.tsx'), 'WebhookPage'),
})

const webhookEdit = createRoute({
  getParentRoute: () => seller,
  path: 'webhooks/$endpointId/edit',
  component: lazyRouteComponent(webhookEditor, 'WebhookEditorPage'),
})

const webhookDelivery = createRoute({
  getParentRoute: () => seller,
  path: 'webhooks/$endpointId/deliveries/$deliveryId',
  component: page(() => import('../seller/webhooks/webhook-delivery.page.tsx'), 'WebhookDeliveryPage'),
})

const processors = createRoute({
  getParentRoute: () => seller,
  path: 'processors',
  component: page(() => import('../seller/payments/processors.page.tsx'), 'ProcessorsPage'),
})

const tax = createRoute({
  getParentRoute: () => seller,
  path: 'tax',
  component: page(() => import('../seller/tax/tax.page.tsx'), 'TaxPage'),
})

const settings = createRoute({
  getParentRoute: () => seller,
  path: 'settings',
  component: page(() => import('../seller/settings/settings.page.tsx'), 'SettingsPage'),
})

/** Every page of a selling organization. */
export const sellerRoutes = seller.addChildren([
  overview,
  activity,
  productsList,
  product,
  customersList,
  customer,
  ordersList,
  order,
  subscriptionsList,
  subscription,
  paymentsList,
  payment,
  refundsList,
  disputesList,
  discountsList,
  discount,
  checkoutLinksList,
  checkoutLink,
  customFieldsList,
  customField,
  metersList,
  meter,
  tokensList,
  webhooksList,
  newWebhook,
  webhook,
  webhookEdit,
  webhookDelivery,
  processors,
  tax,
  settings,
])
