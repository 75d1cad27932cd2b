import { PageHead } from '../parts/page-head.tsx'

export const CheckoutLinkPage = () => <PageHead title="CheckoutLink" />
