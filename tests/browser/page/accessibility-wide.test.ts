import { describe } from 'vitest'
import en from '../../../ui/src/i18n/catalogues/en.json' with { type: 'json' }
import { checkEveryScreen } from '../../helpers/browser/screens/every-screen.ts'

describe('in "en" at 1280 px', () => checkEveryScreen({ language: 'en', width: 1280, texts: en }))
