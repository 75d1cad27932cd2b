import { PageHead } from '../parts/page-head.tsx'

export const DiscountPage = () => <PageHead title="Discount" />
