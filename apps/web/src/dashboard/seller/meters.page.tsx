import { PageHead } from '../parts/page-head.tsx'

export const MetersPage = () => <PageHead title="Meters" />
