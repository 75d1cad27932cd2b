import { PageHead } from '../parts/page-head.tsx'

export const MeterPage = () => <PageHead title="Meter" />
