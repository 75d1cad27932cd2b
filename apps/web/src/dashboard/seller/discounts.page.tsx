import { PageHead } from '../parts/page-head.tsx'

export const DiscountsPage = () => <PageHead title="Discounts" />
