import type { Encoding } from '../../../src/domain/text/encodings.ts'

export const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))

/** Texts, each with its bytes, that only one encoding makes sense of. */
export const ENCODED_TEXTS: readonly (readonly [Encoding, text: string, hex: string])[] = [
  ['windows-1252', 'Größe: “5 €” – São, déjà vu', '4772f6df653a20933520809420962053e36f2c2064e96ae0207675'],
  ['windows-1250', 'Příliš žluťoučký kůň', '50f8ed6c699a209e6c759d6f75e86bfd206bf9f2'],
  ['windows-1251', 'Съешь же ещё булок', 'd1fae5f8fc20e6e520e5f9b820e1f3ebeeea'],
  ['koi8-r', 'Съешь же ещё булок', 'f3dfc5dbd820d6c520c5dda320c2d5cccfcb'],
  ['ibm866', 'Съешь же ещё булок', '91eaa5e8ec20a6a520a5e9f120a1e3abaeaa'],
  ['windows-1253', 'Καλημέρα κόσμε', 'cae1ebe7ecddf1e120eafcf3ece5'],
  ['windows-1254', 'İstanbul güneşli, çığ', 'dd7374616e62756c2067fc6e65fe6c692c20e7fdf0'],
  ['windows-1256', 'مرحبا بالعالم', 'e3d1cdc8c720c8c7e1dac7e1e3'],
  ['gbk', '数据库配置，测试', 'cafdbeddbfe2c5e4d6c3a3acb2e2cad4'],
  ['big5', '許功蓋的繁體中文', 'b35ca55cbb5caabac163c5e9a4a4a4e5'],
  ['shift_jis', '設定ソース表示テスト', '90dd92e8835c815b8358955c8ea6836583588367'],
  ['euc-kr', '똠방각하 한국어 문서', '8c63b9e6b0a2c7cf20c7d1b1b9beee20b9aebcad'],
]
