import { PageHead } from '../parts/page-head.tsx'

export const SubscriptionPage = () => <PageHead title="Subscription" />
