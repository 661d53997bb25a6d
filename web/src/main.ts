import { mount } from "svelte";
import App from "./App.svelte";
import { keepForOffline } from "./offline/keep";
import "./style.css";

mount(App, { target: document.getElementById("page")! });
keepForOffline();
