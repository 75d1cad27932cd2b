import { createRequire } from 'node:module'
import type { TaxIdFormat } from '@tollgate/contract/billing'
import type { Validator } from 'stdnum'
import { taxingCountry } from '../../../foundation/tax/rates.ts'

/** Validation of tax numbers by format. */

/** A tax number in its stored spelling, and its format. */
export type TaxId = readonly [number: string, format: string]

type Format = {
  /** The issuing country; null if the format belongs to no single one. */
  readonly country: string | null
  /** Validators of the library, as `country.name`; one match suffices. */
  readonly checks?: readonly string[]
  /** For formats that the library lacks; matches capitals without blanks. */
  readonly shape?: RegExp
}

const checked = (country: string, ...checks: string[]): Format => ({ country, checks })
const shaped = (country: string | null, shape: RegExp): Format => ({ country, shape })

const formats: Readonly<Record<Exclude<TaxIdFormat, 'eu_vat'>, Format>> = {
  ad_nrt: checked('AD', 'AD.nrt'),
  ae_trn: shaped('AE', /^\d{15}$/),
  ar_cuit: checked('AR', 'AR.cuit'),
  au_abn: checked('AU', 'AU.abn'),
  au_arn: shaped('AU', /^\d{12}$/),
  bg_uic: shaped('BG', /^(\d{9}|\d{13})$/),
  bh_vat: shaped('BH', /^\d{15}$/),
  bo_tin: shaped('BO', /^\d{6,12}$/),
  br_cnpj: checked('BR', 'BR.cnpj'),
  br_cpf: checked('BR', 'BR.cpf'),
  ca_bn: checked('CA', 'CA.bn'),
  ca_gst_hst: shaped('CA', /^\d{9}RT\d{4}$/),
  ca_pst_bc: shaped('CA', /^PST-?\d{4}-?\d{4}$/),
  ca_pst_mb: shaped('CA', /^\d{6}-?\d$/),
  ca_pst_sk: shaped('CA', /^\d{7}$/),
  ca_qst: shaped('CA', /^\d{10}TQ\d{4}$/),
  ch_uid: checked('CH', 'CH.uid'),
  ch_vat: checked('CH', 'CH.vat'),
  cl_tin: checked('CL', 'CL.rut'),
  cn_tin: shaped('CN', /^[0-9A-Z]{15,20}$/),
  co_nit: checked('CO', 'CO.nit'),
  cr_tin: checked('CR', 'CR.cpj', 'CR.cpf', 'CR.cr'),
  de_stn: checked('DE', 'DE.stnr'),
  do_rcn: checked('DO', 'DO.rnc'),
  ec_ruc: checked('EC', 'EC.ruc'),
  eg_tin: checked('EG', 'EG.tn'),
  es_cif: checked('ES', 'ES.cif'),
  eu_oss_vat: shaped(null, /^EU\d{9}$/),
  gb_vat: checked('GB', 'GB.vat'),
  ge_vat: shaped('GE', /^\d{9}$/),
  hk_br: shaped('HK', /^\d{8}$/),
  hr_oib: checked('HR', 'HR.oib'),
  hu_tin: shaped('HU', /^\d{8}-?\d-?\d{2}$/),
  id_npwp: checked('ID', 'ID.npwp'),
  il_vat: checked('IL', 'IL.hp', 'IL.idnr'),
  in_gst: checked('IN', 'IN.gstin'),
  is_vat: checked('IS', 'IS.vsk'),
  jp_cn: checked('JP', 'JP.cn'),
  jp_rn: shaped('JP', /^\d{5}$/),
  jp_trn: shaped('JP', /^T\d{13}$/),
  ke_pin: checked('KE', 'KE.pin'),
  kr_brn: checked('KR', 'KR.brn'),
  kz_bin: shaped('KZ', /^\d{12}$/),
  li_uid: shaped('LI', /^CHE-?\d{3}\.?\d{3}\.?\d{3}$/),
  mx_rfc: checked('MX', 'MX.rfc'),
  my_frp: shaped('MY', /^\d{8}$/),
  my_itn: shaped('MY', /^[A-Z]{1,2}\d{9,11}$/),
  my_sst: shaped('MY', /^[A-Z]\d{2}-?\d{4}-?\d{8}$/),
  ng_tin: shaped('NG', /^\d{8}-?\d{4}$/),
  no_vat: checked('NO', 'NO.mva'),
  no_voec: shaped('NO', /^\d{7}$/),
  nz_gst: checked('NZ', 'NZ.ird'),
  om_vat: shaped('OM', /^OM\d{10}$/),
  pe_ruc: checked('PE', 'PE.ruc'),
  ph_tin: shaped('PH', /^\d{9}(\d{3}|\d{5})?$/),
  ro_tin: checked('RO', 'RO.cui', 'RO.cnp'),
  rs_pib: checked('RS', 'RS.pib'),
  ru_inn: checked('RU', 'RU.inn'),
  ru_kpp: shaped('RU', /^\d{4}[0-9A-Z]{2}\d{3}$/),
  sa_vat: shaped('SA', /^3\d{13}3$/),
  sg_gst: shaped('SG', /^[0-9A-Z]{9,10}$/),
  sg_uen: checked('SG', 'SG.uen'),
  si_tin: checked('SI', 'SI.ddv'),
  sv_nit: checked('SV', 'SV.nit'),
  th_vat: checked('TH', 'TH.tin'),
  tr_tin: checked('TR', 'TR.vkn', 'TR.tckimlik'),
  tw_vat: checked('TW', 'TW.ubn'),
  ua_vat: shaped('UA', /^\d{9,12}$/),
  us_ein: checked('US', 'US.ein'),
  uy_ruc: checked('UY', 'UY.rut'),
  ve_rif: checked('VE', 'VE.rif'),
  vn_tin: checked('VN', 'VN.mst'),
  za_vat: checked('ZA', 'ZA.vat'),
}

/** VAT numbers of the European Union and Northern Ireland, by prefix. */
const europeanVat: Readonly<Record<string, string>> = {
  AT: 'AT.uid',
  BE: 'BE.vat',
  BG: 'BG.vat',
  CY: 'CY.vat',
  CZ: 'CZ.dic',
  DE: 'DE.vat',
  DK: 'DK.cvr',
  EE: 'EE.kmkr',
  EL: 'GR.vat',
  ES: 'ES.nif',
  FI: 'FI.alv',
  FR: 'FR.tva',
  HR: 'HR.oib',
  HU: 'HU.anum',
  IE: 'IE.vat',
  IT: 'IT.iva',
  LT: 'LT.pvm',
  LU: 'LU.tva',
  LV: 'LV.pvn',
  MT: 'MT.vat',
  NL: 'NL.btw',
  PL: 'PL.nip',
  PT: 'PT.nif',
  RO: 'RO.cui',
  SE: 'SE.vat',
  SI: 'SI.ddv',
  SK: 'SK.dph',
  XI: 'GB.vat',
}

/** Greece's VAT prefix differs from its country code. */
const vatLetters = (country: string): string => (country === 'GR' ? 'EL' : country)

/**
 * Returns a number of the given format in its stored spelling, or null if invalid. A European number without a prefix
 * belongs to `country`.
 */
export function taxIdOf(number: string, format: string, country: string | null): TaxId | null {
  if (format === 'eu_vat') return europeanNumber(number, country === null ? null : taxingCountry(country))
  const known = isKnown(format) ? formats[format] : undefined
  const stored = known && fitting(number, known)
  return stored === undefined ? null : [stored, format]
}

const isKnown = (format: string): format is keyof typeof formats => Object.hasOwn(formats, format)

/** Detects a number's format from its country; null if none fits. */
export function checkedTaxId(number: string, from: string): TaxId | null {
  const country = taxingCountry(from)
  const european = vatLetters(country) in europeanVat ? europeanNumber(number, country) : null
  if (european) return european[0].startsWith(vatLetters(country)) ? european : null
  for (const [format, known] of Object.entries(formats)) {
    const stored = known.country === country ? fitting(number, known) : undefined
    if (stored !== undefined) return [stored, format]
  }
  return null
}

function europeanNumber(given: string, country: string | null): TaxId | null {
  const number = compacted(given).replace(/[-./]/g, '')
  const named = number.slice(0, 2).replace('GR', 'EL')
  const letters = Object.hasOwn(europeanVat, named) ? named : vatLetters(country ?? '')
  const check = Object.hasOwn(europeanVat, letters) ? europeanVat[letters] : undefined
  const rest = letters === named ? number.slice(2) : number
  const stored = check && compactBy(check, rest)
  return stored ? [letters + stored.replace(new RegExp(`^${letters}`), ''), 'eu_vat'] : null
}

function fitting(given: string, { checks, shape }: Format): string | undefined {
  const number = compacted(given)
  if (shape) return shape.test(number) ? number : undefined
  for (const check of checks ?? []) {
    const stored = compactBy(check, number)
    if (stored !== undefined) return stored
  }
  return undefined
}

const compacted = (given: string): string => given.normalize('NFKC').toUpperCase().replace(/\s/g, '')

/**
 * Returns the number in the library's spelling, or undefined if invalid. The test comes first because the library
 * throws on arbitrary text.
 */
function compactBy(check: string, number: string): string | undefined {
  if (!/^(?=.*\d)[0-9A-ZÑ&./-]+$/.test(number)) return undefined
  const result = validator(check).validate(number)
  return result.isValid ? result.compact : undefined
}

const require = createRequire(import.meta.url)
type Library = Readonly<Record<string, Readonly<Record<string, Validator>>>>
let library: Library | undefined

/** Loads the library with the first check, because loading takes longer than the rest of the startup. */
function validator(check: string): Validator {
  library ??= (require('stdnum') as { stdnum: Library }).stdnum
  const [country = '', name = ''] = check.split('.')
  const found = library[country]?.[name]
  if (!found) throw new Error(`stdnum has no validator ${check}`)
  return found
}
