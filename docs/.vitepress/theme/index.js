// The theme of VitePress with fonts of the reader's machine, in the colours of the checkout page.

import theme from "vitepress/theme-without-fonts";
import "./colours.css";

export default theme;
