import { PageHead } from '../parts/page-head.tsx'

export const OverviewPage = () => <PageHead title="Overview" />
