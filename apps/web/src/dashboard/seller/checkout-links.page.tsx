import { PageHead } from '../parts/page-head.tsx'

export const CheckoutLinksPage = () => <PageHead title="CheckoutLinks" />
