import { checkEveryScreen } from '../../helpers/browser/screens/every-screen.ts'
import { SETTINGS_SCREENS } from '../../helpers/browser/screens/settings-screens.ts'

checkEveryScreen(SETTINGS_SCREENS)
