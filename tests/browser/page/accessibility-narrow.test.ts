import { describe } from 'vitest'
import ar from '../../../ui/src/i18n/catalogues/ar.json' with { type: 'json' }
import { checkEveryScreen } from '../../helpers/browser/screens/every-screen.ts'

describe('in "ar" at 400 px', () => checkEveryScreen({ language: 'ar', width: 400, texts: ar }))
